// How the service is: its figures, what needs a hand, and how busy it is.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

import { Icon } from '../../src/icons/icon.tsx';
import type { DoctorReport, GmailAccount, Status } from '../api/answers.ts';
import { readOperation } from '../api/call-operation.ts';
import { InlineCode } from '../parts/inline-code.tsx';
import { Listing } from '../parts/listing.tsx';
import { momentWords } from '../parts/moment.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { PlaceIcon } from '../parts/place-icon.tsx';
import { Segments } from '../parts/segments.tsx';
import { findMatters } from '../state/find-matters.ts';
import type { Place } from '../state/route.ts';
import { type Answered, useAnswer } from '../state/use-answer.ts';
import { toProblem } from '../texts/describe-problem.ts';
import { counted, number, text } from '../texts/text.ts';
import { MachinePanel } from './machine-panel.tsx';
import { LiveChart, RateCharts, type Span, spanWords, type TrafficAnswer } from './traffic-charts.tsx';

/** The service examines itself no more often than this by itself. */
const doctorEveryMs = 5 * 60_000;

export function OverviewView(): VNode {
  const status = useAnswer<Status>('status', { everyMs: 10_000 });
  return (
    <>
      <PageHead intro={text('overview.intro')} />
      <Listing asked={status}>
        {(answer) => (
          <>
            <Figures status={answer} />
            <Attention status={status} />
          </>
        )}
      </Listing>
      <MachinePanel />
      <Traffic />
    </>
  );
}

function Figures({ status }: { readonly status: Status }): VNode {
  const figures: readonly (readonly [Place, string, string])[] = [
    ['sessions', text('overview.live'), number(status.live_sessions)],
    ['domains', text('overview.domains'), number(status.active_domains)],
    ['keys', text('overview.keys'), number(status.keys)],
    ['blocks', text('overview.blocks'), number(status.blocks)],
  ];
  return (
    <section aria-label={text('overview.figures')}>
      <ul class="figures">
        {figures.map(([to, title, value]) => (
          <li key={to}>
            <a class="figure" href={`#/${to}`}>
              <span>{title}</span>
              <strong>{value}</strong>
            </a>
          </li>
        ))}
        <li>
          <div class="figure">
            <span>{text('overview.uptime')}</span>
            <strong>{spanWords(status.uptime_seconds)}</strong>
          </div>
        </li>
      </ul>
    </section>
  );
}

function Attention({ status }: { readonly status: Answered<Status> }): VNode {
  const doctor = useAnswer<DoctorReport>('doctor', { everyMs: doctorEveryMs });
  const gmail = useAnswer<{ readonly accounts: readonly GmailAccount[] }>('gmail-accounts');
  const { matters, isPending } = findMatters({ status, doctor, gmail });
  return (
    <section class="panel" aria-labelledby="attention-title">
      <div class="panel-head">
        <h2 id="attention-title">{text('overview.attention')}</h2>
        <ExamineAgain doctor={doctor} />
      </div>
      {matters.length > 0 && (
        <ul class="attention">
          {matters.map(({ rank, to, words }) => (
            <li key={words} class={`is-${rank}`}>
              <Icon name="warning" />
              <span class="breakable">
                {rank !== 'failed' && `${text(`dns.${rank}`)}: `}
                <a href={`#/${to}`}>
                  <InlineCode words={words} />
                </a>
              </span>
            </li>
          ))}
        </ul>
      )}
      {isPending && <p class="attention-pending">{text('dns.pending')}</p>}
      {!isPending && matters.length === 0 && (
        <p class="attention-none">
          <Icon name="check" />
          {counted('overview.green', doctor.answer?.findings.length ?? 0)}
        </p>
      )}
    </section>
  );
}

/** When the service was last examined, and a button that has it done again. */
function ExamineAgain({ doctor }: { readonly doctor: Answered<DoctorReport> }): VNode {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const work = async (): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    setProblem('');
    try {
      await readOperation('doctor', { fresh: 1 });
      await doctor.reload();
    } catch (error) {
      setProblem(toProblem(error));
    } finally {
      setBusy(false);
    }
  };
  const checkedAt = doctor.answer?.checked_at;
  return (
    <span class="examined">
      <span class="hint" role="status">
        {problem ||
          (isBusy
            ? text('dns.pending')
            : checkedAt !== undefined && text('dns.checked', { time: momentWords(checkedAt) }))}
      </span>
      <button type="button" class="button" aria-disabled={isBusy} onClick={() => void work()}>
        <PlaceIcon name="again" />
        <span>{text('dns.again')}</span>
      </button>
    </span>
  );
}

function Traffic(): VNode {
  const [span, setSpan] = useState<Span>('60');
  const { answer, problem } = useAnswer<TrafficAnswer>('traffic', {
    parameters: { minutes: span },
    everyMs: 15_000,
  });
  return (
    <section class="panel" aria-labelledby="traffic-title">
      <div class="panel-head">
        <h2 id="traffic-title">{text('overview.traffic')}</h2>
        <Segments
          label={text('overview.span')}
          value={span}
          onChange={setSpan}
          options={[
            ['60', text('overview.hour')],
            ['360', text('overview.quarter')],
            ['1440', text('overview.day')],
          ]}
        />
      </div>
      {problem !== '' && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <div class="charts is-wide">
        <LiveChart traffic={answer} span={span} />
      </div>
      <RateCharts traffic={answer} span={span} />
    </section>
  );
}
