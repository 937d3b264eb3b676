import { expect, it } from 'vitest';

import { done, type Progress, runSteps, type Step, StepFailed } from './run-steps.ts';

/** A machine of named switches. */
function createMachine(on: readonly string[] = []) {
  const switches = new Set(on);
  const events: string[] = [];
  const stepOf = (name: string, fails = false): Step => ({
    name,
    check: () => Promise.resolve(switches.has(name) ? done : 'it is off'),
    apply: () => {
      events.push(`apply ${name}`);
      switches.add(name);
      return fails ? Promise.reject(new Error('no current')) : Promise.resolve();
    },
    undo: () => {
      events.push(`undo ${name}`);
      switches.delete(name);
      return Promise.resolve();
    },
  });
  return { switches, events, stepOf };
}

it('applies what differs, in order, and nothing the second time', async () => {
  const { events, stepOf } = createMachine(['b']);
  const steps = ['a', 'b', 'c'].map((name) => stepOf(name));
  expect((await runSteps(steps)).changed).toEqual(['a', 'c']);
  expect(events).toEqual(['apply a', 'apply c']);
  const seen: Progress[] = [];
  const again = await runSteps(steps, { tell: (progress) => seen.push(progress) });
  expect(again.changed).toEqual([]);
  expect(seen.map(({ kind }) => kind)).toEqual(['kept', 'kept', 'kept']);
});

it('undoes what it applied, the last first, when one fails half-way, and leaves what was there', async () => {
  const { switches, events, stepOf } = createMachine(['b']);
  const steps = [stepOf('a'), stepOf('b'), stepOf('c', true), stepOf('d')];
  await expect(runSteps(steps)).rejects.toThrow(new StepFailed('c', new Error('no current')));
  expect(events).toEqual(['apply a', 'apply c', 'undo c', 'undo a']);
  expect([...switches]).toEqual(['b']);
});

it('undoes the rest when a check fails', async () => {
  const { switches, stepOf } = createMachine();
  const blind: Step = { ...stepOf('b'), check: () => Promise.reject(new Error('dark')) };
  await expect(runSteps([stepOf('a'), blind])).rejects.toMatchObject({ step: 'b', message: 'dark' });
  expect(switches.size).toBe(0);
});

it('can be undone later, once', async () => {
  const { switches, events, stepOf } = createMachine();
  const applied = await runSteps([stepOf('a'), stepOf('b')]);
  await applied.undo();
  await applied.undo();
  expect(switches.size).toBe(0);
  expect(events.slice(2)).toEqual(['undo b', 'undo a']);
});

it('undoes the others when one cannot be undone, and says what is left', async () => {
  const { switches, stepOf } = createMachine();
  const stuck: Step = { ...stepOf('b'), undo: () => Promise.reject(new Error('jammed')) };
  const seen: Progress[] = [];
  await expect(
    runSteps([stepOf('a'), stuck, stepOf('c', true)], { tell: (progress) => seen.push(progress) }),
  ).rejects.toMatchObject({ step: 'c', message: 'no current', isUndone: false });
  expect([...switches]).toEqual(['b']);
  expect(seen.slice(-3)).toEqual([
    { kind: 'undone', step: 'c' },
    { kind: 'left', step: 'b', why: 'jammed' },
    { kind: 'undone', step: 'a' },
  ]);
});

it('undoes what it did when it is interrupted', async () => {
  const { switches, events, stepOf } = createMachine();
  const interrupt = new AbortController();
  const first = stepOf('a');
  const apply = async (): Promise<void> => {
    await first.apply();
    interrupt.abort(new Error('interrupted'));
  };
  const running = runSteps([{ ...first, apply }, stepOf('b')], { signal: interrupt.signal });
  await expect(running).rejects.toMatchObject({ step: 'a', message: 'interrupted', isUndone: true });
  expect([events, switches.size]).toEqual([['apply a', 'undo a'], 0]);
});
