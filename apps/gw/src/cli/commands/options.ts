import type { Level } from '../../map/graph.ts';
import type { Command } from '../command/command.ts';

export const ACTIONS = ['follow', 'review', 'check', 'design'] as const;

export interface CourseOptions {
  readonly action: (typeof ACTIONS)[number];
  /** Path of the course; null takes those of the project. */
  readonly course: string | null;
  readonly update: boolean;
  readonly json: boolean;
  readonly label: string | null;
  readonly output: string | null;
  readonly config: string | null;
}

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

export type Shell = (typeof SHELLS)[number];

/** A command to complete, as the list of commands has it. */
export interface Completable {
  readonly name: string;
  readonly group: string;
  readonly about: string;
  readonly load: () => Promise<Command>;
}

export interface MapOptions {
  readonly level: Level;
  readonly focus: string | null;
  readonly depth: number;
  readonly cycles: boolean;
  readonly checkLayers: boolean;
  readonly pr: boolean;
  readonly baseRef: string | null;
  readonly format: 'mermaid' | 'json';
  readonly maxNodes: number;
}

export interface PrOptions {
  readonly yes: boolean;
  readonly maxRetries: number;
  readonly guidelines: string | null;
  readonly baseBranch: string;
  readonly dryRun: boolean;
  readonly config: string | null;
}

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
