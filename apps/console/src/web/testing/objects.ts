import type { KnownSubject, Overview, Plan, SpendingCap, User } from '../api/objects.ts';

/** A role that lets its holder call endpoints. */
export const USER_ROLE = { role: 'utilisateur-standard', project: null } as const;

// Objects of the API as a console in use answers them. A test names only what matters to it.

export const person = (subject: string, but: Partial<KnownSubject> = {}): KnownSubject => ({
  subject,
  origin: 'local',
  enabled: true,
  displayName: null,
  revoked: false,
  roles: [USER_ROLE],
  projects: [],
  ...but,
});

export const account = (username: string, but: Partial<User> = {}): User => ({
  id: `id-of-${username}`,
  username,
  origin: 'local',
  displayName: null,
  email: null,
  plan: 'id-of-team',
  enabled: true,
  revoked: false,
  createdAt: '2026-01-31T08:00:00.000Z',
  roles: [USER_ROLE],
  spent: 0,
  lastCallAt: null,
  keyEndsAt: null,
  ...but,
});

export const plan = (slug: string, but: Partial<Plan> = {}): Plan => ({
  id: `id-of-${slug}`,
  slug,
  name: `${slug.slice(0, 1).toUpperCase()}${slug.slice(1)}`,
  monthlyCap: 10,
  alertThresholds: [80, 100],
  ...but,
});

export const spending = (username: string, but: Partial<SpendingCap> = {}): SpendingCap => ({
  id: `id-of-${username}`,
  username,
  plan: { id: 'id-of-team', slug: 'team', name: 'Team' },
  monthlyCap: 10,
  spent: 2.5,
  share: 0.25,
  alerted: null,
  rank: 0.25,
  ...but,
});

/** An instance that is set up and serves. */
export const overview = (but: Partial<Overview> = {}): Overview => ({
  providers: 1,
  models: 1,
  activeEndpoints: 2,
  callers: 3,
  administrators: 1,
  auditors: 1,
  waiting: 0,
  keysEnding: 0,
  policyRevision: 4,
  callsLastHour: 10,
  callsLastDay: 1234,
  refusedLastDay: 5,
  failedLastHour: 0,
  failedLastDay: 2,
  lastCallAt: '2026-01-31T08:00:00.000Z',
  hasCall: true,
  licenseExpiresAt: null,
  certificateExpiresAt: null,
  lastVerification: null,
  ...but,
});
