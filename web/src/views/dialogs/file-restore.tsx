// Opens a file of saved addresses and shows the result for each.
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useId } from 'preact/hooks';

import { reportError } from '../../app/report-fault.ts';
import { type Outcome, type Restored, restoreEntries } from '../../app/restoring.ts';
import { Icon } from '../../icons/icon.tsx';
import { t } from '../../i18n/translate.ts';
import { longestFile, parseAddressFile } from '../../state/addresses/address-file.ts';
import { mostSessions } from '../../state/addresses/stored-sessions.ts';

interface Progress {
  /** The number of entries in the file. */
  readonly total: number;
  readonly results: readonly Restored[];
}

export function FileRestore(): VNode {
  const problem = useSignal('');
  const progress = useSignal<Progress | null>(null);
  const id = useId();
  const take = async (file: File): Promise<void> => {
    progress.value = null;
    const read = await readAddressFile(file);
    problem.value = read.fault === null ? '' : t(`keep.file.${read.fault}` as const, { most: mostSessions });
    if (read.fault !== null) return;
    progress.value = { total: read.entries.length, results: [] };
    await restoreEntries(read.entries, (result) => {
      const { total = 0, results = [] } = progress.value ?? {};
      progress.value = { total, results: [...results, result] };
    });
  };
  return (
    <section class="options" aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`} class="form-title">
        {t('keep.load')}
      </h3>
      <p id={`${id}-hint`} class="hint">
        {t('keep.loadHint')}
      </p>
      <label class="button is-wide file-button">
        <Icon name="file" />
        <span>{t('keep.chooseFile')}</span>
        <input
          type="file"
          accept="application/json,.json"
          aria-describedby={`${id}-hint ${id}-problem`}
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? [];
            // Lets the same file be selected again.
            if (file) take(file).catch(reportError);
            event.currentTarget.value = '';
          }}
        />
      </label>
      <p id={`${id}-problem`} class="problem" role="alert">
        {problem.value}
      </p>
      {progress.value && <Results progress={progress.value} />}
    </section>
  );
}

async function readAddressFile(file: File): Promise<ReturnType<typeof parseAddressFile>> {
  // Too large to be read at all: no character that we write takes more than three bytes.
  if (file.size > 3 * longestFile) return { fault: 'large' };
  return parseAddressFile(await file.text());
}

function Results({ progress: { total, results } }: { readonly progress: Progress }): VNode {
  const isDone = results.length === total;
  const taken = results.filter(({ outcome }) => outcome === 'taken').length;
  return (
    <>
      <p role="status">{isDone ? t('keep.summary', { taken, total }) : t('app.loading')}</p>
      <ul class="restored" aria-label={t('keep.load')}>
        {results.map((result, at) => (
          <Result key={at} place={at + 1} result={result} />
        ))}
      </ul>
    </>
  );
}

const isGood: Readonly<Record<Outcome, boolean>> = {
  taken: true,
  known: true,
  over: false,
  wrong: false,
  full: false,
  failed: false,
};

function Result({ place, result }: { readonly place: number; readonly result: Restored }): VNode {
  const { outcome, email } = result;
  return (
    <li class={`restored-entry${isGood[outcome] ? '' : ' is-left-out'}`}>
      <Icon name={isGood[outcome] ? 'check' : 'warning'} />
      <bdi>{email || t('keep.entry', { place })}</bdi>
      <span class="restored-outcome">{t(`keep.result.${outcome}` as const)}</span>
    </li>
  );
}
