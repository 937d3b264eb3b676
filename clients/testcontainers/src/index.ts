export { MayflyContainer, type StartedMayflyContainer } from './mayfly-container.ts';
export { MayflyProcess, type MayflyProcessOptions, startMayfly } from './mayfly-process.ts';
export type { RunningMayfly } from './running-mayfly.ts';
