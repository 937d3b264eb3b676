// A button with three dots that opens a list of buttons. Closes on a choice, on Escape, and when the focus or a tap
// goes elsewhere.
import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren, RefObject, VNode } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

import { Icon, type IconName } from '../../icons/icon.tsx';

export interface MenuProps {
  readonly label: string;
  readonly children: ComponentChildren;
}

export function Menu({ label, children }: MenuProps): VNode {
  const isOpen = useSignal(false);
  const listId = useId();
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useLeaving(box, isOpen);
  return (
    <div
      ref={box}
      class="menu"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen.value) return;
        event.preventDefault();
        event.stopPropagation();
        isOpen.value = false;
        button.current?.focus();
      }}
    >
      <button
        ref={button}
        type="button"
        class="icon-button is-outlined"
        aria-label={label}
        title={label}
        aria-expanded={isOpen.value}
        aria-controls={isOpen.value ? listId : undefined}
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        <Icon name="more" />
      </button>
      {isOpen.value && (
        <ul
          id={listId}
          class="menu-list"
          onKeyDown={moveByArrow}
          onClickCapture={() => {
            // Before the item's own handler: a dialog that it opens gives the focus back to the button, not to the item.
            button.current?.focus();
          }}
          onClick={() => {
            isOpen.value = false;
          }}
        >
          {children}
        </ul>
      )}
    </div>
  );
}

/** Closes the menu when the focus or a tap goes elsewhere. */
function useLeaving(box: RefObject<HTMLDivElement | null>, isOpen: Signal<boolean>): void {
  useEffect(() => {
    if (!isOpen.value) return undefined;
    const leave = ({ target }: Event): void => {
      if (target instanceof Node && !box.current?.contains(target)) isOpen.value = false;
    };
    document.addEventListener('pointerdown', leave);
    document.addEventListener('focusin', leave);
    return () => {
      document.removeEventListener('pointerdown', leave);
      document.removeEventListener('focusin', leave);
    };
  }, [isOpen.value, isOpen, box]);
}

function moveByArrow(event: KeyboardEvent): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const { currentTarget: list, target } = event;
  if (by === undefined || !(list instanceof HTMLElement) || !(target instanceof HTMLElement)) return;
  event.preventDefault();
  const buttons = [...list.querySelectorAll('button')];
  const at = buttons.findIndex((button) => button === target);
  buttons[(at + by + buttons.length) % buttons.length]?.focus();
}

export interface MenuItemProps {
  readonly icon: IconName;
  readonly label: string;
  readonly isDanger?: boolean;
  readonly onChoose: () => void;
}

export function MenuItem({ icon, label, isDanger = false, onChoose }: MenuItemProps): VNode {
  return (
    <li>
      <button type="button" class={`menu-item${isDanger ? ' is-danger' : ''}`} onClick={onChoose}>
        <Icon name={icon} />
        <span>{label}</span>
      </button>
    </li>
  );
}
