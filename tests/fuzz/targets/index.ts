import type { Target } from '../target.ts';
import { acts } from './acts.ts';
import { answers } from './answers.ts';
import { archives } from './archives.ts';
import { bodies } from './bodies.ts';
import { exports } from './exports.ts';
import { licenses } from './licences.ts';
import { policies } from './policies.ts';
import { streams } from './streams.ts';
import { tokens } from './tokens.ts';
import { proven, unproven } from './wire.ts';

export const TARGETS: readonly Target[] = [
  bodies,
  streams,
  answers,
  acts,
  tokens,
  licenses,
  policies,
  archives,
  exports,
  unproven,
  proven,
];
