// Parses a Dockerfile into stages and steps, as far as ours uses the language: no heredocs, only trailing backslashes.

export interface DockerStep {
  readonly name: string;
  readonly text: string;
}

export interface DockerStage {
  readonly from: string;
  readonly name: string | undefined;
  readonly steps: readonly DockerStep[];
}

/** @throws Error on a line that is not a step */
export function parseDockerfile(text: string): DockerStage[] {
  const lines = text
    .replace(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const stages: { from: string; name: string | undefined; steps: DockerStep[] }[] = [];
  for (const line of lines) {
    const [, name = '', rest = ''] = /^([A-Z]+) +(.+)$/.exec(line) ?? [];
    if (name === 'FROM') {
      const [, from = '', stage] = /^(\S+)(?: AS (\S+))?$/.exec(rest) ?? [];
      stages.push({ from, name: stage, steps: [] });
      continue;
    }
    const stage = stages.at(-1);
    if (name === '' || !stage) throw new Error(`No step: ${line}`);
    stage.steps.push({ name, text: rest.trim() });
  }
  return stages;
}
