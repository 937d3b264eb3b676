// Asks for the admin key and tries it.
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

import { Mark } from '../../src/icons/mark.tsx';
import type { MadeKey } from '../api/answers.ts';
import { carryOut, readOperation } from '../api/call-operation.ts';
import { acceptKey, forgetKey, signInProblem, takeLinkCode, tryKey } from '../state/operator-key.ts';
import { toProblem } from '../texts/describe-problem.ts';
import { text } from '../texts/text.ts';
import { MadeKeyDialog } from './key-dialog.tsx';

export function SignIn(): VNode {
  const [made, setMade] = useState<MadeKey>();
  useEffect(() => {
    const code = takeLinkCode();
    if (code === undefined) return;
    carryOut<MadeKey>('redeem-link', { code }).then(setMade, (error: unknown) => {
      forgetKey(toProblem(error));
    });
  }, []);
  return (
    <main class="sign-in">
      <div class="sign-in-box">
        <p class="sign-in-brand">
          <Mark />
          {text('app.name')}
        </p>
        <h1>{text('signIn.title')}</h1>
        <p class="hint">{text('signIn.intro')}</p>
        <KeyForm />
        <div class="sign-in-help">
          <p>{text('signIn.hint')}</p>
          <code>mayfly key add NAME --admin</code>
          <p>{text('signIn.kept')}</p>
        </div>
      </div>
      {made && (
        <MadeKeyDialog
          made={made}
          onClose={() => {
            tryKey(made.key);
            acceptKey();
          }}
        />
      )}
    </main>
  );
}

function KeyForm(): VNode {
  const field = useRef<HTMLInputElement>(null);
  const [isBusy, setBusy] = useState(false);
  const work = async (): Promise<void> => {
    const { current: input } = field;
    if (!input || isBusy) return;
    setBusy(true);
    tryKey(input.value.trim());
    try {
      await readOperation('status');
      acceptKey();
    } catch (error) {
      forgetKey(toProblem(error));
      input.value = '';
      input.focus();
    } finally {
      setBusy(false);
    }
  };
  const { value: problem } = signInProblem;
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void work();
      }}
    >
      <div class="field">
        <label for="admin-key">{text('signIn.key')}</label>
        <input
          ref={field}
          id="admin-key"
          type="password"
          autocomplete="off"
          spellcheck={false}
          required
          autofocus
          aria-invalid={problem !== ''}
          aria-describedby="sign-in-problem"
        />
      </div>
      <p id="sign-in-problem" class="problem" role="alert">
        {problem}
      </p>
      <button type="submit" class="button is-primary is-wide" aria-disabled={isBusy}>
        {isBusy ? text('signIn.checking') : text('signIn.submit')}
      </button>
    </form>
  );
}
