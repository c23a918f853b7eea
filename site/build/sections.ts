/** The pages of the manual, in the order in which a reader meets them. */
export interface Page {
  readonly title: string;
  /** Below `pages/`, without `.md`. */
  readonly path: string;
}

const page = (path: string, title: string): Page => ({ path, title });

/** The first page, which no section lists. */
export const INDEX = page('index', 'The manual of the gateway');

export const SECTIONS: readonly { readonly text: string; readonly pages: readonly Page[] }[] = [
  {
    text: 'Concepts',
    pages: [
      page('concepts/pipeline', 'The life of a call'),
      page('concepts/log', 'The decision log and how to check it without us'),
      page('concepts/never-stored', 'What is never stored'),
      page('concepts/roles', 'Roles and permissions'),
      page('concepts/profiles', 'The two builds'),
      page('concepts/security', 'Security model and its limits'),
      page('concepts/reliability', 'Reliability: which faults were tried'),
      page('concepts/not-offered', 'What the gateway does not do, and why'),
      page('concepts/comparison', 'Comparison with other gateways'),
    ],
  },
  {
    text: 'For operators',
    pages: [
      page('operator/first-start', 'First start'),
      page('operator/first-day', 'The first day of an operator'),
      page('operator/engine', 'Put an engine behind the gateway'),
      page('operator/console', 'The console, and who signs in to it'),
      page('operator/sign-in-entra-id', 'Set up sign-in with Microsoft Entra ID'),
      page('operator/sign-in-okta', 'Set up sign-in with Okta'),
      page('operator/sign-in-keycloak', 'Set up sign-in with Keycloak'),
      page('operator/sign-in-google', 'Set up sign-in with Google'),
      page('operator/sign-in-authentik', 'Set up sign-in with Authentik'),
      page('operator/directory', 'Settings of common directories'),
      page('operator/people', 'Accounts, keys and roles'),
      page('operator/configuration-as-code', 'Configuration as code'),
      page('operator/policy', 'Narrow rights with a policy'),
      page('operator/policy-cookbook', 'Policy cookbook: twenty examples'),
      page('operator/revoke', 'Revoke a person or an agent session'),
      page('operator/workloads', 'Workloads: CI jobs and services'),
      page('operator/leavers', 'Leavers: provision users with SCIM'),
      page('operator/secrets', 'Detection of secrets'),
      page('operator/organization', 'Organization policy for workstations'),
      page('operator/licence', 'The license of a deployment'),
      page('operator/plans', 'Plans, caps and usage'),
      page('operator/log-export', 'Send the logs to a collector'),
      page('operator/logs-splunk', 'Send the logs to Splunk'),
      page('operator/logs-sentinel', 'Send the logs to Microsoft Sentinel'),
      page('operator/logs-elastic', 'Send the logs to Elastic'),
      page('operator/logs-loki', 'Send the logs to Grafana Loki'),
      page('operator/metrics', 'Metrics and traces: OpenTelemetry, Prometheus and Grafana'),
      page('operator/retention', 'How long data is kept, and archives'),
      page('operator/delete-person', 'Delete a person’s data'),
      page('operator/troubleshooting', 'Troubleshooting by symptom'),
      page('operator/documentation', 'Install documentation'),
      page('operator/from-litellm', 'Move from LiteLLM'),
    ],
  },
  {
    text: 'For auditors',
    pages: [
      page('auditor/verify', 'Verify and export the log'),
      page('auditor/prove', 'Prove one call, and watch a log'),
    ],
  },
  {
    text: 'For developers',
    pages: [
      page('developer/calls', 'Call an endpoint'),
      page('developer/tools', 'Connect an editor, an agent or a library'),
      page('developer/parallel-calls', 'Parallel calls, and what a cap means for them'),
      page('developer/agents', 'Agent sessions and commands'),
      page('developer/ask', 'Ask the documentation'),
      page('developer/session', 'Work with the agent in the terminal'),
      page('developer/gw-configuration', 'Configure gw'),
      page('developer/pr', 'Open a pull request with gw'),
      page('developer/headless', 'Run gw from scripts, in CI and over HTTP'),
      page('developer/editors', 'Use gw inside your editor'),
      page('developer/gw-tools', 'Tools and permissions of gw'),
      page('developer/sign-in', 'Sign in'),
      page('developer/record', 'What a session leaves behind'),
      page('developer/map', 'Map a repository'),
      page('developer/course', 'Learn a repository with a course'),
      page('developer/diagnose', 'When something does not work'),
    ],
  },
  {
    text: 'Tools of developers',
    pages: [
      page('tools/codex', 'Connect Codex'),
      page('tools/claude-code', 'Connect Claude Code'),
      page('tools/opencode', 'Connect opencode'),
      page('tools/qwen-code', 'Connect Qwen Code'),
      page('tools/continue', 'Connect Continue'),
      page('tools/cline', 'Connect Cline'),
      page('tools/gemini-cli', 'Connect Gemini CLI'),
      page('tools/copilot-cli', 'Connect GitHub Copilot CLI'),
      page('tools/pi', 'Connect pi'),
      page('tools/kilo', 'Connect Kilo CLI'),
      page('tools/openclaw', 'Connect OpenClaw'),
      page('tools/droid', 'Connect Factory droid'),
      page('tools/claude-agent-sdk', 'Connect the Claude Agent SDK'),
      page('tools/codex-sdk', 'Connect the Codex SDK'),
      page('tools/openai-agents', 'Connect the OpenAI Agents SDK'),
      page('tools/vercel-ai-sdk', 'Connect the Vercel AI SDK'),
      page('tools/langchain', 'Connect LangChain'),
      page('tools/mastra', 'Connect Mastra'),
      page('tools/google-genai', 'Connect @google/genai'),
      page('tools/vs-code', 'Connect VS Code'),
      page('tools/crush', 'Connect Crush'),
      page('tools/goose', 'Connect goose'),
      page('tools/cursor', 'Connect Cursor'),
    ],
  },
  {
    text: 'Deployment',
    pages: [
      page('deployment/sizing', 'Sizing: how large a machine must be'),
      page('deployment/single-machine', 'Install on a single machine'),
      page('deployment/services', 'As a service: systemd and containers'),
      page('deployment/proxies', 'Behind nginx, HAProxy, Caddy or Traefik'),
      page('deployment/several', 'Several gateways behind a balancer'),
      page('deployment/https', 'Set up HTTPS: TLS certificates'),
      page('deployment/postgresql', 'PostgreSQL: what it must offer'),
      page('deployment/patroni', 'PostgreSQL as a cluster with Patroni'),
      page('deployment/air-gapped', 'Without a network (air-gapped)'),
      page('deployment/backup', 'Backup and restore'),
      page('deployment/keys', 'Rotate keys, passwords and certificates'),
      page('deployment/verify-release', 'Verify a release'),
      page('deployment/upgrade', 'Upgrade'),
    ],
  },
  {
    text: 'Reference',
    pages: [
      page('reference/versions', 'Supported versions'),
      page('reference/limits', 'Limits'),
      page('reference/addresses', 'Addresses of the gateway'),
      page('reference/configuration', 'Configuration'),
      page('reference/refusals', 'Refusals: causes and fixes'),
    ],
  },
];

export const PAGES: readonly Page[] = SECTIONS.flatMap(({ pages }) => pages);
