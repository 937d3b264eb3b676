// The form for an address of the reader's choice: name, domain or Gmail alias, and lifetime.
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useId } from 'preact/hooks';

import type { DomainList } from '../../api/answers.ts';
import type { NewSession } from '../../api/operations.ts';
import { usualSeconds } from '../../app/addresses.ts';
import { locale, t } from '../../i18n/translate.ts';
import { type AddressChoice, isGmailPlace, toNewSession } from '../../state/addresses/address-choice.ts';
import { formatSpan } from '../../state/timestamp.ts';

export interface AddressFormProps {
  readonly places: DomainList;
  readonly isBusy: boolean;
  /** The error in words; empty for none. */
  readonly problem: string;
  /** Whether the name caused it. */
  readonly isNameWrong: boolean;
  readonly onSubmit: (wanted: NewSession) => void;
}

const lifetimes = [600, 3600, 21_600, 86_400] as const;
const plain: AddressChoice = { prefix: '', place: 'any', alias: 'dot', lifetime: 0 };

export function AddressForm({ places, isBusy, problem, isNameWrong, onSubmit }: AddressFormProps): VNode {
  const choice = useSignal(plain);
  const ids = useId();
  const change = (changes: Partial<AddressChoice>): void => {
    choice.value = { ...choice.value, ...changes };
  };
  const { prefix, place } = choice.value;
  return (
    <form
      class="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(toNewSession(choice.value));
      }}
    >
      <NameAndPlace
        ids={ids}
        places={places}
        isNameWrong={isNameWrong}
        choice={choice.value}
        onChange={change}
      />
      <p id={`${ids}-hint`} class="hint">
        {isGmailPlace(place) && prefix.trim() !== '' ? t('create.aliasNamed') : t('create.prefixHint')}
      </p>
      {isGmailPlace(place) && prefix.trim() === '' && <AliasChoice choice={choice.value} onChange={change} />}
      <Lifetime ids={ids} choice={choice.value} onChange={change} />
      <p id={`${ids}-problem`} class="problem" role="alert">
        {problem}
      </p>
      <button type="submit" class="button is-primary is-wide" aria-disabled={isBusy}>
        {isBusy ? t('create.creating') : t('create.submit')}
      </button>
    </form>
  );
}

interface PartProps {
  /** Prefix of the ids of the form's elements. */
  readonly ids: string;
  readonly choice: AddressChoice;
  readonly onChange: (changes: Partial<AddressChoice>) => void;
}

interface NameAndPlaceProps extends PartProps {
  readonly places: DomainList;
  readonly isNameWrong: boolean;
}

function NameAndPlace({ ids, places, isNameWrong, choice, onChange }: NameAndPlaceProps): VNode {
  const { prefix, place } = choice;
  return (
    <div class="form-pair">
      <div class="field">
        <label for={`${ids}-prefix`}>{t('create.prefix')}</label>
        <input
          id={`${ids}-prefix`}
          name="prefix"
          dir="ltr"
          maxLength={40}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          aria-describedby={`${ids}-hint ${ids}-problem`}
          aria-invalid={isNameWrong}
          value={prefix}
          onInput={(event) => {
            onChange({ prefix: event.currentTarget.value });
          }}
        />
      </div>
      <div class="field">
        <label for={`${ids}-place`}>{t('create.domain')}</label>
        <select
          id={`${ids}-place`}
          dir="ltr"
          value={place}
          onChange={(event) => {
            onChange({ place: event.currentTarget.value });
          }}
        >
          <Places places={places} />
        </select>
      </div>
    </div>
  );
}

function Lifetime({ ids, choice: { lifetime }, onChange }: PartProps): VNode {
  const { value: usual } = usualSeconds;
  return (
    <div class="field">
      <label for={`${ids}-lifetime`}>{t('create.lifetime')}</label>
      <select
        id={`${ids}-lifetime`}
        value={String(lifetime)}
        onChange={(event) => {
          onChange({ lifetime: Number(event.currentTarget.value) });
        }}
      >
        <option value="0">
          {usual === 0 ? t('create.lifetimeDefault') : formatSpan(usual, locale.value)}
        </option>
        {lifetimes
          .filter((seconds) => seconds !== usual)
          .map((seconds) => (
            <option key={seconds} value={String(seconds)}>
              {formatSpan(seconds, locale.value)}
            </option>
          ))}
      </select>
    </div>
  );
}

function Places({ places: { domains, gmail_accounts: accounts } }: { readonly places: DomainList }): VNode {
  return (
    <>
      <option value="any">{t('create.anyDomain')}</option>
      {domains.length > 0 && (
        <optgroup label={t('create.domains')}>
          {domains.map(({ id, domain }) => (
            <option key={id} value={`domain:${id}`}>
              @{domain}
            </option>
          ))}
        </optgroup>
      )}
      {accounts.length > 0 && (
        <optgroup label={t('create.gmail')}>
          <option value="gmail:auto">{t('create.gmailAuto')}</option>
          {accounts.map(({ id, email }) => (
            <option key={id} value={`gmail:${id}`}>
              {email}
            </option>
          ))}
        </optgroup>
      )}
    </>
  );
}

function AliasChoice({ choice, onChange }: Omit<PartProps, 'ids'>): VNode {
  const kinds = [
    { alias: 'dot', label: t('create.aliasDot'), hint: t('create.aliasDotHint') },
    { alias: 'plus', label: t('create.aliasPlus'), hint: t('create.aliasPlusHint') },
  ] as const;
  return (
    <fieldset class="options">
      <legend>{t('create.alias')}</legend>
      {kinds.map(({ alias, label, hint }) => (
        <label key={alias} class="option">
          <input
            type="radio"
            name="alias"
            checked={choice.alias === alias}
            onChange={() => {
              onChange({ alias });
            }}
          />
          <span>
            {label}
            <small>{hint}</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
