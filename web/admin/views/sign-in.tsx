// Asks for the admin key or a passkey and tries it.
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

import { Mark } from '../../src/icons/mark.tsx';
import type { MadeKey } from '../api/answers.ts';
import { carryOut } from '../api/call-operation.ts';
import { signInWithKey, signInWithPasskey } from '../api/sign-in.ts';
import { forgetSignIn, signInProblem, takeLinkCode } from '../state/signed-in.ts';
import { PlaceIcon } from '../parts/place-icon.tsx';
import { toProblem } from '../texts/describe-problem.ts';
import { text } from '../texts/text.ts';
import { MadeKeyDialog } from './key-dialog.tsx';

export function SignIn(): VNode {
  const [made, setMade] = useState<MadeKey>();
  useEffect(() => {
    const code = takeLinkCode();
    if (code === undefined) return;
    carryOut<MadeKey>('redeem-link', { code }).then(setMade, tellProblem);
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
            signInWithKey(made.key).catch(tellProblem);
          }}
        />
      )}
    </main>
  );
}

/** Returns whether a sign-in is under way, and what begins one. */
function useWork(): readonly [isBusy: boolean, work: (signIn: () => Promise<void>) => Promise<void>] {
  const [isBusy, setBusy] = useState(false);
  const work = async (signIn: () => Promise<void>): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    try {
      await signIn();
    } catch (error) {
      tellProblem(error);
    } finally {
      setBusy(false);
    }
  };
  return [isBusy, work];
}

function KeyForm(): VNode {
  const field = useRef<HTMLInputElement>(null);
  const [isBusy, work] = useWork();
  const byKey = async (): Promise<void> => {
    const { current: input } = field;
    if (!input) return;
    try {
      await signInWithKey(input.value.trim());
    } catch (error) {
      input.value = '';
      input.focus();
      throw error;
    }
  };
  const { value: problem } = signInProblem;
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void work(byKey);
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
      <PasskeyButton
        isBusy={isBusy}
        onClick={() => {
          void work(signInWithPasskey);
        }}
      />
    </form>
  );
}

interface PasskeyButtonProps {
  readonly isBusy: boolean;
  readonly onClick: () => void;
}

function PasskeyButton({ isBusy, onClick }: PasskeyButtonProps): VNode {
  return (
    <button type="button" class="button is-wide" aria-disabled={isBusy} onClick={onClick}>
      <PlaceIcon name="passkeys" />
      <span>{text('signIn.passkey')}</span>
    </button>
  );
}

function tellProblem(error: unknown): void {
  forgetSignIn(toProblem(error));
}
