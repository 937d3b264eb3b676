// The files of a server, as text: settings, and, unless a package brought them, the command and the units of systemd.

import { mergeSettings, type Settings } from './settings-file.ts';

export interface PlannedFile {
  readonly path: string;
  readonly content: string;
  readonly mode: number;
}

/** Texts as shipped, in deploy/. */
export interface ShippedFiles {
  /** Units by name. */
  readonly units: Readonly<Record<string, string>>;
  /** The command `mayfly`. */
  readonly command: string;
  /** The settings, as an example. */
  readonly settings: string;
}

export interface FilesGiven {
  readonly shipped: ShippedFiles;
  readonly settings: Settings;
  /** The file of settings as it is; undefined when it is not there. */
  readonly settingsNow: string | undefined;
  /** Node.js and the program, by their paths. */
  readonly node: string;
  readonly program: string;
  readonly isPackaged: boolean;
}

export const settingsPath = '/etc/mayfly/mayfly.env';
export const dataDir = '/var/lib/mayfly';
export const backupDir = '/var/lib/mayfly-backup';

const begin = `# ${settingsPath}: settings of the service, one a line; docs/configuration.md lists all.\n`;

export function planFiles(given: FilesGiven): PlannedFile[] {
  const { shipped, settings, settingsNow, node, program, isPackaged } = given;
  // The example names a domain that is not the operator's.
  const before = settingsNow === undefined || settingsNow === shipped.settings ? begin : settingsNow;
  const file = { path: settingsPath, content: mergeSettings(before, settings), mode: 0o640 };
  if (isPackaged) return [file];
  const place = (text: string): string =>
    text.replaceAll(/\/\S{1,200}\/node \/opt\/mayfly\/bin\/mayfly\.mjs/g, () => `${node} ${program}`);
  return [
    file,
    { path: '/usr/local/bin/mayfly', content: place(shipped.command), mode: 0o755 },
    ...Object.entries(shipped.units).map(([name, text]) => ({
      path: `/etc/systemd/system/${name}`,
      content: place(text),
      mode: 0o644,
    })),
  ];
}
