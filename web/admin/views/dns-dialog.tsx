// The DNS checks of one domain, each with its result and what to do about it.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

import { Modal } from '../../src/views/dialogs/modal.tsx';
import type { CheckState, DomainState } from '../api/answers.ts';
import { readOperation } from '../api/call-operation.ts';
import { momentWords } from '../parts/moment.tsx';
import { Pill, type Tone } from '../parts/pill.tsx';
import { PlaceIcon } from '../parts/place-icon.tsx';
import { toProblem } from '../texts/describe-problem.ts';
import { text } from '../texts/text.ts';

const tones: Readonly<Record<CheckState | 'pending', Tone>> = {
  ok: 'good',
  warning: 'warning',
  failed: 'bad',
  unknown: 'quiet',
  pending: 'waiting',
};

export function DnsPill({ state }: { readonly state: CheckState | 'pending' }): VNode {
  return <Pill tone={tones[state]} label={text(`dns.${state}`)} />;
}

interface DnsDialogProps {
  readonly name: string;
  readonly state: DomainState | undefined;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

export function DnsDialog({ name, state: known, onChanged, onClose }: DnsDialogProps): VNode {
  const [fresh, setFresh] = useState<DomainState>();
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const state = fresh ?? known;
  const lookAgain = async (): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    setProblem('');
    try {
      const { domains } = await readOperation<{ readonly domains: readonly DomainState[] }>('domain-states', {
        name,
      });
      setFresh(domains[0]);
      onChanged();
    } catch (error) {
      setProblem(toProblem(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal title={text('dns.title', { domain: name })} onClose={onClose}>
      <ul class="checks">
        {(state?.checks ?? []).map(({ what, state: found, detail }) => (
          <li key={detail}>
            <span class="checks-name">
              {text(`dns.${what}`)}
              <DnsPill state={found} />
            </span>
            <span class="breakable">{detail}</span>
          </li>
        ))}
      </ul>
      {(state?.checks.length ?? 0) === 0 && <p class="hint">{text('dns.pending')}</p>}
      <p class="problem" role="alert">
        {problem}
      </p>
      <div class="modal-buttons is-apart">
        <span class="hint" role="status">
          {isBusy
            ? text('dns.pending')
            : typeof state?.checked_at === 'string' &&
              text('dns.checked', { time: momentWords(state.checked_at) })}
        </span>
        <button type="button" class="button" aria-disabled={isBusy} onClick={() => void lookAgain()}>
          <PlaceIcon name="again" />
          <span>{text('dns.again')}</span>
        </button>
      </div>
    </Modal>
  );
}
