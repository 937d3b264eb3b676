// Plans the files that quickstart writes, from the answers and from the files that the program was shipped with.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import {
  backupDir,
  dataDir,
  planFiles,
  type PlannedFile,
  settingsPath,
  type ShippedFiles,
} from './plan-files.ts';
import {
  formatChecklist,
  formatCloudflare,
  formatZoneFile,
  ofZone,
  planZone,
  type ZoneRecord,
} from './plan-zone.ts';
import { codeOf } from '../../system-errors/src/error-code.ts';
import { messageOf } from '../../system-errors/src/error-message.ts';
import type { Answers } from './answers.ts';
import { SetupError } from './setup-error.ts';
import { allUnits, isHidden } from './machine.ts';

export interface Plan {
  readonly records: readonly ZoneRecord[];
  /** Files that the service reads, and the command. */
  readonly files: readonly PlannedFile[];
  /** The zone, for the operator. */
  readonly zoneFiles: readonly PlannedFile[];
  /** Those that the service needs to be able to read. */
  readonly programs: readonly string[];
}

/** As the Debian package names it. */
const packagedCommand = '/usr/bin/mayfly';
/** As docs/operations.md puts them there by hand. */
const usualPaths = { node: '/usr/bin/node', program: '/opt/mayfly/bin/mayfly.mjs' };
export const cloudflarePath = '/etc/mayfly/cloudflare.sh';

/** @param packageFolder where the program is installed */
export function readShipped(packageFolder: string): ShippedFiles {
  const folder = join(packageFolder, 'deploy');
  const units = readdirSync(join(folder, 'systemd')).filter((name) =>
    /\.(?:service|socket|timer)$/.test(name),
  );
  const read = (...path: string[]): string => readFileSync(join(folder, ...path), 'utf8');
  return {
    units: Object.fromEntries(units.map((name) => [name, read('systemd', name)])),
    command: read('debian', 'mayfly'),
    settings: read('systemd', 'mayfly.env'),
  };
}

/** Returns the file of settings as it is; undefined when there is none, or none that we may read. */
export function readSettingsNow(): string | undefined {
  try {
    return readFileSync(settingsPath, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'EACCES') return undefined;
    throw error;
  }
}

/** The program and the settings before any change. */
export interface Present {
  readonly packageFolder: string;
  readonly shipped: ShippedFiles;
  readonly settingsNow: string | undefined;
  /** Whether the files are for another machine, perhaps. */
  readonly isPrinted: boolean;
}

export function makePlan(
  { domain, host, addresses, settings }: Answers,
  { packageFolder, shipped, settingsNow, isPrinted }: Present,
): Plan {
  const mode = settings['MAYFLY_SMTP_MTA_STS'] ?? 'off';
  const policyId = createHash('sha256').update(`${mode} ${host}`).digest('hex').slice(0, 16);
  const records = planZone({ domain, host, addresses, hasMtaSts: mode !== 'off', policyId });
  const zone = ofZone(records, domain);
  const own = { node: realpathSync(process.execPath), program: join(packageFolder, 'bin', 'mayfly.mjs') };
  // Elsewhere, as on the operator's own machine, paths say nothing about the server.
  const { node, program } = isPrinted && isHidden(own.node, own.program) ? usualPaths : own;
  const isPackaged = existsSync(packagedCommand);
  return {
    records,
    programs: [node, program],
    files: planFiles({ shipped, settings, settingsNow, node, program, isPackaged }),
    zoneFiles: [
      { path: `/etc/mayfly/${domain}.zone`, content: formatZoneFile(zone), mode: 0o644 },
      { path: cloudflarePath, content: formatCloudflare(zone), mode: 0o644 },
    ],
  };
}

/** Writes everything below a folder, and a script that puts it in its place. @throws SetupError */
export function printPlan(folder: string, plan: Plan): string[] {
  try {
    return writePlan(folder, plan);
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    throw new SetupError(`The files cannot be written into ${folder}: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

function writePlan(folder: string, { files: ofService, zoneFiles, records, programs }: Plan): string[] {
  const files = [...ofService, ...zoneFiles];
  for (const { path, content, mode } of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content, { mode });
  }
  writeFileSync(
    join(folder, 'checklist.txt'),
    formatChecklist(records, () => false),
  );
  writeFileSync(join(folder, 'setup.sh'), formatSetup(files, programs), { mode: 0o755 });
  return [
    `Everything is in ${folder}:`,
    ...files.map(({ path }) => `  ${path.slice(1)}`),
    '  checklist.txt   the records to publish',
    '  setup.sh        puts the files in their places, and starts the service: run it there as root',
  ];
}

function formatSetup(files: readonly PlannedFile[], programs: readonly string[]): string {
  const installs = files.map(({ path, mode }) => `place 0${mode.toString(8)} ${path}\n`);
  return `#!/bin/sh
set -eu
cd "$(dirname "$0")"
for file in ${programs.join(' ')}; do
  test -e "$file" || { echo "$file is not there: install Node.js and the program first" >&2; exit 1; }
done
place() {
  cmp -s ".$2" "$2" || install -D --backup=numbered -m "$1" ".$2" "$2"
  chmod "$1" "$2"
}
getent passwd mayfly > /dev/null ||
  useradd --system --user-group --no-create-home --home-dir ${dataDir} --shell /usr/sbin/nologin mayfly
install -d -m 2750 -g mayfly /etc/mayfly
install -d -m 0700 -o mayfly -g mayfly ${dataDir} ${backupDir}
${installs.join('')}systemctl daemon-reload
systemctl enable --now ${allUnits.join(' ')}
`;
}
