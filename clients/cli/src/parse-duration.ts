// Times on the command line: `60`, `60s`, `500ms`, `10m`, `2h`, `1d`. Pure.

const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Returns ms, or undefined if absent. The command's declaration has checked the form. */
export function parseDuration(given: string | number | boolean | undefined): number | undefined {
  const found = /^(\d{1,7})(ms|s|m|h|d)?$/.exec(String(given ?? ''));
  return found ? Number(found[1]) * (unitsMs[found[2] ?? 's'] ?? 1000) : undefined;
}
