// Says whether this Node.js runs a program, by the range in its package.json. Written for every Node.js since 12; the
// packages that are published separately have a copy.

/**
 * Returns '' when it does.
 * @param {string} version
 * @param {string} range such as `>=20.20.2 <21 || >=24.13`
 */
export function refuseNode(version, range) {
  return isInRange(version, range)
    ? ''
    : `Node.js ${version} does not run this program: install ${describeRange(range)}.`;
}

/**
 * Reports whether a version is in a range such as `>=20.20.2 <21 || >=24.13`.
 * @param {string} version
 * @param {string} range
 */
function isInRange(version, range) {
  return range
    .split('||')
    .some((part) => (part.match(/[<>]=?[\d.]+/g) || []).every((bound) => meets(version, bound)));
}

/**
 * @param {string} version
 * @param {string} bound
 */
function meets(version, bound) {
  const [, sign = '', least = ''] = /^([<>]=?)([\d.]+)$/.exec(bound) || [];
  const wanted = least.split('.').map(Number);
  const given = version.split(/[.-]/).map(Number);
  let order = 0;
  for (let at = 0; at < 3 && order === 0; at += 1) order = (given[at] || 0) - (wanted[at] || 0);
  if (order === 0) return sign.endsWith('=');
  return order < 0 === sign.startsWith('<');
}

/**
 * Returns the versions to choose from: `20.20.2 or later of 20, 22.22 or later of 22, or 24.13 or later`.
 * @param {string} range
 */
function describeRange(range) {
  const parts = range.split('||').map((part) => {
    const [, from = ''] = />=([\d.]+)/.exec(part) || [];
    return part.includes('<') ? `${from} or later of ${from.split('.')[0]}` : `${from} or later`;
  });
  const last = parts.pop() || '';
  return parts.length === 0 ? last : `${parts.join(', ')}, or ${last}`;
}
