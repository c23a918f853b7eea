/** The pages of the manual, in the order in which a reader meets them. */
export interface Page {
  readonly title: string;
  /** Below `pages/`, without `.md`. */
  readonly path: string;
}

const page = (path: string, title: string): Page => ({ path, title });

export const SECTIONS: readonly { readonly text: string; readonly pages: readonly Page[] }[] = [
  {
    text: 'Concepts',
    pages: [
      page('concepts/corridor', 'The corridor: what happens to a call'),
      page('concepts/log', 'The decision log and how to check it without us'),
      page('concepts/never-stored', 'What is never stored'),
      page('concepts/roles', 'Roles and permissions'),
      page('concepts/profiles', 'The two builds'),
      page('concepts/security', 'Security model and its limits'),
    ],
  },
  {
    text: 'For operators',
    pages: [
      page('operator/first-start', 'First start'),
      page('operator/engine', 'Put an engine behind the gateway'),
      page('operator/console', 'The console, and who signs in to it'),
      page('operator/directory', 'Settings of common directories'),
      page('operator/people', 'Accounts, keys and roles'),
      page('operator/policy', 'Narrow rights with a policy'),
      page('operator/revoke', 'Revoke a person or an agent session'),
      page('operator/secrets', 'Detection of secrets'),
      page('operator/organization', 'Organization policy for workstations'),
      page('operator/licence', 'The licence of a deployment'),
      page('operator/plans', 'Plans, caps and usage'),
      page('operator/log-export', 'Send the logs to a collector'),
      page('operator/documentation', 'Install documentation'),
    ],
  },
  {
    text: 'For auditors',
    pages: [page('auditor/verify', 'Verify and export the log')],
  },
  {
    text: 'For developers',
    pages: [
      page('developer/calls', 'Call an endpoint'),
      page('developer/tools', 'Connect an editor, an agent or a library'),
      page('developer/agents', 'Agent sessions and commands'),
      page('developer/ask', 'Ask the documentation'),
      page('developer/diagnose', 'When something does not work'),
    ],
  },
  {
    text: 'Deployment',
    pages: [
      page('deployment/single-machine', 'On a single machine'),
      page('deployment/services', 'As a service: systemd and containers'),
      page('deployment/several', 'Several gateways behind a balancer'),
      page('deployment/postgresql', 'PostgreSQL: what it must offer'),
      page('deployment/air-gapped', 'Without a network'),
      page('deployment/backup', 'Backup and restore'),
      page('deployment/keys', 'Rotate keys, passwords and certificates'),
      page('deployment/upgrade', 'Upgrade'),
    ],
  },
  {
    text: 'Reference',
    pages: [
      page('reference/addresses', 'Addresses of the gateway'),
      page('reference/configuration', 'Configuration'),
      page('reference/refusals', 'Refusals, their causes and how to mend them'),
    ],
  },
];

export const PAGES: readonly Page[] = SECTIONS.flatMap(({ pages }) => pages);
