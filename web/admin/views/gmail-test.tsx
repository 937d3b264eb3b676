// Connects to an account, and tells step by step how it went.
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { Modal } from '../../src/views/dialogs/modal.tsx';
import { carryOut } from '../api/call-operation.ts';
import { Pill } from '../parts/pill.tsx';
import { toProblem } from '../texts/describe-problem.ts';
import { text } from '../texts/text.ts';

interface Tested {
  readonly well: boolean;
  readonly lines: readonly string[];
}

interface GmailTestProps {
  readonly email: string;
  readonly onClose: () => void;
}

export function GmailTest({ email, onClose }: GmailTestProps): VNode {
  const [tested, setTested] = useState<Tested>();
  const [problem, setProblem] = useState('');
  useEffect(() => {
    const test = async (): Promise<void> => {
      try {
        setTested(await carryOut<Tested>('test-gmail-account', { email }));
      } catch (error) {
        setProblem(toProblem(error));
      }
    };
    void test();
  }, [email]);
  return (
    <Modal title={text('gmail.testTitle', { email })} onClose={onClose}>
      <div role="status">
        {tested ? (
          <Pill
            tone={tested.well ? 'good' : 'bad'}
            label={tested.well ? text('gmail.well') : text('gmail.notWell')}
          />
        ) : (
          problem === '' && <Pill tone="waiting" label={text('gmail.testing')} />
        )}
      </div>
      <p class="problem" role="alert">
        {problem}
      </p>
      {tested && (
        <ul class="checks">
          {tested.lines.map((line) => (
            <li key={line} class="breakable">
              {line}
            </li>
          ))}
        </ul>
      )}
      <div class="modal-buttons">
        <button type="button" class="button" onClick={onClose}>
          {text('app.done')}
        </button>
      </div>
    </Modal>
  );
}
