/** A service that connects with a role of its own. */
export type Service = 'gateway' | 'console';

/** The role the migrations make for each service. */
export const SERVICE_ROLES: Readonly<Record<Service, string>> = {
  gateway: 'gateway_service',
  console: 'console_service',
};

/**
 * Billed consumption and audit logs: neither service may rewrite or erase them (log-11). Where a
 * table of this list is absent, the migrations were not applied.
 */
export const PROTECTED_TABLES: readonly string[] = [
  'request_logs',
  'usage_totals',
  'usage_sums',
  'usage_unsummed',
  'background_work',
  'authorization_decisions',
  'authorization_decision_seals',
  'administration_actions',
  'administration_action_seals',
  'signing_keys',
  'policy_attempts',
  'secret_detections',
  'agent_acts',
  'agent_commands',
  'agent_command_ends',
  'log_retention',
  'log_archives',
  'log_instance',
  'log_tiles',
  'schema_migrations',
];

/** What a service cannot work without; that it is missing means the service-role migration was not applied for this role. */
export const NEEDED: Readonly<Record<Service, readonly (readonly [table: string, privilege: 'SELECT' | 'INSERT'])[]>> =
  {
    gateway: [
      ['schema_migrations', 'SELECT'],
      ['accounts', 'SELECT'],
      ['role_assignments', 'SELECT'],
      ['subject_revocations', 'SELECT'],
      ['endpoints', 'SELECT'],
      ['models', 'SELECT'],
      ['providers', 'SELECT'],
      ['authorization_decisions', 'SELECT'],
      ['authorization_decisions', 'INSERT'],
      ['authorization_decision_seals', 'INSERT'],
      ['signing_keys', 'INSERT'],
      ['request_logs', 'SELECT'],
      ['request_logs', 'INSERT'],
    ],
    console: [
      ['schema_migrations', 'SELECT'],
      ['accounts', 'SELECT'],
      ['role_assignments', 'SELECT'],
      ['providers', 'INSERT'],
      ['administration_actions', 'SELECT'],
      ['administration_actions', 'INSERT'],
      ['administration_action_seals', 'INSERT'],
      ['signing_keys', 'INSERT'],
    ],
  };
