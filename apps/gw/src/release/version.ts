const SEMVER =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[A-Za-z-][\dA-Za-z-]*)(?:\.(?:0|[1-9]\d*|\d*[A-Za-z-][\dA-Za-z-]*))*))?(?:\+[\dA-Za-z.-]+)?$/;

/** Whether a text is a version of Semantic Versioning 2.0.0. */
export function isVersion(text: string): boolean {
  return SEMVER.test(text);
}

/** Precedence of two versions (Semantic Versioning 2.0.0, clause 11): negative where `one` is the earlier. */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [partsOf(one), partsOf(other)];
  for (const [at, number] of left.numbers.entries()) {
    const difference = number - (right.numbers[at] ?? 0n);
    if (difference !== 0n) return difference < 0n ? -1 : 1;
  }
  return comparePrereleases(left.prerelease, right.prerelease);
}

function partsOf(version: string): { readonly numbers: readonly bigint[]; readonly prerelease: readonly string[] } {
  const [, major = '0', minor = '0', patch = '0', prerelease] = SEMVER.exec(version) ?? [];
  return { numbers: [major, minor, patch].map(BigInt), prerelease: prerelease?.split('.') ?? [] };
}

function comparePrereleases(one: readonly string[], other: readonly string[]): number {
  if (one.length === 0 || other.length === 0) return other.length - one.length;
  for (const [at, left] of one.entries()) {
    const right = other[at];
    if (right === undefined) return 1;
    const difference = compareIdentifiers(left, right);
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}

function compareIdentifiers(one: string, other: string): number {
  const [isNumber, isOtherNumber] = [/^\d+$/.test(one), /^\d+$/.test(other)];
  if (isNumber && isOtherNumber) return one.length - other.length || (one < other ? -1 : one > other ? 1 : 0);
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  return one < other ? -1 : one > other ? 1 : 0;
}
