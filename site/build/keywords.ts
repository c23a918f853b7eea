/**
 * Other words for the subject of each page, by its path: names of products, synonyms, acronyms and symptoms that a reader may
 * type and the page does not contain, and what readers ask in their own words. The search finds the page by them, most of all by one
 * that a question contains in full; readers do not see them.
 */
export const KEYWORDS: Readonly<Record<string, string>> = {
  index:
    'home, start page, what is the gateway, LLM gateway, AI gateway, overview, introduction, features, is it open source, source code, who makes it',
  'concepts/pipeline':
    'request flow, request path, step by step, lifecycle, processing order, architecture, how a request is handled, latency overhead, request changed, how a call is checked, before it reaches the model, what happens to a request, order of the checks, what is changed in a request, does it change my prompt, how much latency does it add',
  'concepts/log':
    'audit log, audit trail, journal, what is recorded for each request, logged fields, hash chain, append-only, immutable, Merkle, deleted line noticed, tamper evidence, checkpoint, public key, signature, what do the signatures cover, signed entries, can an administrator delete log entries, which data is written to the log, what is in a log entry, what does the log contain, can log entries be changed, how is the log protected, fields of an entry',
  'concepts/never-stored':
    'data privacy, confidentiality, prompts, completions, conversation content, source code kept, does it store or keep my data, zero data retention, personal data, answers or responses saved to disk, developers’ code, retain, is prompt content logged, are prompts logged, does my data leave my network, where does the data go, are prompts stored, where are prompts stored, who can read my prompts, which data do you collect, is source code stored, privacy questions, comply with GDPR, data protection law',
  'concepts/profiles':
    'serverless, cloud, SaaS, hosted, on-prem, self-hosted, edition, variant, difference between builds, hosted vs on-premise, which edition do I need, difference between the editions, which build',
  'concepts/reliability':
    'resilience, fault tolerance, crash, outage, failure tests, chaos, load test, durability, data loss, lost calls, fuzz, availability, SLA, fail closed, what happens when PostgreSQL or the database is down, what happens if the gateway crashes, how was it tested, can calls be lost, single point of failure, how reliable',
  'concepts/not-offered':
    'missing features, is there, does it have, do you support, not supported, limitations, roadmap, SAML, LDAP, semantic cache, response caching, load balancing, fallback, routing, retries, rate limiting, guardrails, content moderation, personally identifiable information, retry failed calls automatically, automatic retry, prompt templates, playground, chat UI, plugins, webhooks, e-mail notification, Slack, Teams, GraphQL, gRPC, websocket, realtime API, voice, mobile app, MySQL, SQLite, Oracle, SQL Server, Windows Server, SaaS, multi-tenant, A/B testing, fine-tuning, web chat, chat interface, retry on another provider, failover to another model, PII detection, free tier, price list, how much does a subscription cost, Kubernetes operator',
  'concepts/comparison':
    'alternatives, versus, vs, competitors, LiteLLM, Portkey, Bifrost, Kong, agentgateway, Coder, Claude apps gateway, which gateway, differences, why this one, why not LiteLLM, how does it compare, which product is better, other products',
  'concepts/roles':
    'RBAC, access control, who can see or read what, read-only, permission matrix, separation of duties, least privilege, super user, admin, administrator, auditor, operator role, entitlement, segregation of duties, log access, who can read the log, who may read the logs, read access, dual control, four eyes, make someone an auditor, what may an administrator do, which roles exist, who can change what, what may a developer see, which role do I need, rights of each role',
  'concepts/security':
    'threats, attacker, insider, bypass, encryption at rest, in transit, hardening, known limits, risk, penetration test, pentest, prompt injection, vulnerability, data protection, trust boundary, what can an administrator do, what can a compromised administrator do, security review, security questionnaire, is it secure, how are keys protected, how are secrets stored, what if the server is hacked, what are the limits of the protection',
  'operator/first-start':
    'quick start, quickstart, getting started, demo, try it out, evaluate, trial, proof of concept, first steps, run locally, laptop, hello world, how long does it take to set up, how do I start, first administrator, installation in minutes, try it in five minutes, how do I try it, run it on my laptop, what do I need to try it, how do I create the first administrator',
  'operator/first-day':
    'onboarding, rollout, checklist, getting to production, pilot, plan of introduction, what to do first, how do I begin, first administrator, what do I do after installation, what next, prepare for production, list of steps',
  'operator/engine':
    'add or register a provider, new model, make a model available, backend, upstream, inference server, model server, LLM, OpenAI, Azure OpenAI, Anthropic, Claude, Gemini, Mistral, Bedrock, Vertex, Groq, DeepSeek, OpenRouter, Hugging Face, TGI, SGLang, Triton, TensorRT, NVIDIA NIM, llama.cpp, provider API key, GPU server, routing, Cohere, xAI, Grok, Together, Fireworks, Llama, change the price of a model, connect OpenAI, connect a provider, engine with a self-signed certificate, corporate proxy for the engine, test whether the engine works, add a model, add an endpoint, which providers are supported, which models are supported, change the model behind an endpoint, set the price of a model, local models, use several providers, timeout of the engine, second engine when the first is down, other header for the key of the engine',
  'operator/console':
    'admin UI, web interface, dashboard, admin panel, login page, redirect URI, callback, MFA, 2FA, login loop, session timeout, locked out, lost administrator password, open the console, who can open the console, console address, I cannot open the console, log in to the console, first login, tabs of the console',
  'operator/sign-in-entra-id':
    'Azure AD, AAD, Azure Active Directory, Microsoft 365, Office 365, SSO, OIDC, app registration, redirect URI, reply URL, tenant, client secret, AADSTS, AADSTS50011, AADSTS700016, AADSTS7000215, invalid_client, invalid_grant, access denied, sign in with Microsoft, Microsoft login, Entra ID sign-in',
  'operator/sign-in-okta':
    'SSO, OIDC, login, authorization server, app integration, sign-in redirect URI, callback URL, client secret, groups claim, redirect_uri must be a login redirect URI, invalid_client, invalid_grant, access denied, sign in with Okta, Okta login',
  'operator/sign-in-keycloak':
    'SSO, OIDC, login, Red Hat build of Keycloak, RHSSO, realm, client secret, valid redirect URIs, mapper, invalid parameter redirect_uri, invalid_client, invalid_grant, access denied, sign in with Keycloak, Keycloak login',
  'operator/sign-in-google':
    'SSO, OIDC, login, G Suite, Gmail, Google Cloud console, OAuth consent screen, client ID, client secret, redirect_uri_mismatch, authorized redirect URI, error 400, invalid_client, invalid_grant, access denied, sign in with Google, Google login, Google Workspace login',
  'operator/sign-in-authentik':
    'SSO, OIDC, login, OAuth2 provider, application, slug, redirect URI, client secret, invalid_client, invalid_grant, access denied',
  'operator/directory':
    'identity provider, IdP, issuer, OIDC discovery, OpenID Connect, SSO, Auth0, Ping Identity, PingFederate, ADFS, OneLogin, JumpCloud, Zitadel, Dex, AWS Cognito, GitLab, Active Directory, groups claim, subject claim, audience, redirect URI, callback URL, connect our identity provider, set up sign-in, sign-in with our own identity provider, which identity providers work, roles from groups',
  'operator/people':
    'users, user management, create or invite a user, onboarding, API key, personal access token, reset key, lost key, list all people with admin rights, access review, recertification, assign a role, service account, read-only access for an auditor, team, group, project, bulk import, CSV, freelancer, consultant, guest, external user, temporary access, new joiner, how do developers get their key, give a developer access, invite a colleague, add many people at once, add fifty users, import a list of users, create an account, create a key for a user, when does a key expire, extend a key, new key for a user, change the role of a person, what is a project, remove a person, see who has access, search for a person, make a user an admin, make somebody an administrator, reset a key',
  'operator/configuration-as-code':
    'GitOps, IaC, infrastructure as code, declarative, Argo CD, Flux, YAML, apply, diff, plan, drift, export settings, import, staging to production, REST API for administration, admin API, automation, configuration in git, copy the configuration to another installation, automate the administration, review changes before they apply, settings in a file',
  'operator/policy':
    'authorization rule, ABAC, Cedar, deny, forbid, restrict access, restrict models, conditions, simulate, dry run, access rules, write a rule, test a rule, which rule denied the call, who is allowed to call which model, why was a call denied, remove a rule, restore an older policy',
  'operator/policy-cookbook':
    'policy examples, samples, templates, snippets, allowlist, whitelist, denylist, blacklist, only certain models, interns, contractors, office hours, night, weekend, IP range, CIDR, VPN, freelancer, consultant, temporary access, for a limited time, end date, one team only, allow a model for one team, allow a model only for some people, example rules, allow only some models, forbid a model, block outside working hours, restrict by IP address, limit to one project, restrict a contractor',
  'operator/revoke':
    'block, ban, disable, suspend or lock out a user immediately, kill switch, terminate, kill a session, stolen laptop, incident response, compromised account, unblock, restore access, session has been revoked, offboard, stop all calls right now, emergency stop, disable a user, block a user, cut somebody off, take away access, key was leaked, key was stolen, lock an account, end a session, how fast is a revocation',
  'operator/workloads':
    'CI/CD, GitHub Actions, GitLab CI, Jenkins, Kubernetes service account, OIDC federation, workload identity, machine user, technical account, non-human identity, without a static secret, service token, keyless, service accounts for pipelines, pipeline, a job without a key, call from a pipeline, token of a pipeline, application instead of a person',
  'operator/leavers':
    'offboarding, joiner mover leaver, user lifecycle, automatic provisioning, deprovisioning, SCIM, Entra, Okta, OneLogin, JumpCloud, HR, terminate employee, former employee, sync users, directory sync, group push, resigned, dismissed, fired, quit, cut off access, employee left the company, somebody leaves, remove people who left, synchronize people, people are removed automatically, provisioning from the identity provider',
  'operator/secrets':
    'DLP, data loss prevention, leaked credentials in prompts, secret scanning, redact, mask, gitleaks, trufflehog, password in prompt, secret detected, request refused, false alarm, pasting passwords, which secrets are detected, switch off secret detection, a secret was detected, what happens with a secret in a prompt, own patterns, add a pattern, mask or block, sensitive data, filter for passwords, filter for secrets',
  'operator/organization':
    'managed settings, enterprise policy, MDM, laptops, developer machines, force settings, allowed tools, allowed MCP servers, central configuration, fleet, restrict which MCP servers developers may use, restrict tools, enforce settings on laptops, enforce settings on workstations, which tools may developers use, rules for workstations, settings for all developers, central settings, forbid a command, see what agents did on workstations',
  'operator/licence':
    'license key, subscription, seats, number of users, too many users, user limit reached, expired, renewal, grace period, activate, entitlement, licence limit, license expired, license expires, what happens after the license ends, where do I get a license, install a license, does it need a license, how many people does the license allow, renew the license',
  'operator/plans':
    'quota, budget, spending limit, spending cap, allowance, token limit, usage per person, per developer, per team, per month, cost control, chargeback, showback, FinOps, billing, price, budget exceeded, consumption report, who uses most, call cost more than expected, who spent the most, spend of each person, set a cap, how are costs calculated, cap reached, change a plan, monthly report, download usage, see who used which model, export usage as CSV',
  'operator/log-export':
    'SIEM, syslog, CEF, log forwarding, log shipping, ship logs, stream events, OTLP, Fluent Bit, Fluentd, Vector, rsyslog, Datadog, QRadar, Graylog, Sumo Logic, New Relic, Chronicle, ArcSight, Wazuh, audit events, send the log elsewhere, which format do exported events have, forward the log, log in real time, which log format',
  'operator/logs-splunk':
    'SIEM, HEC, HTTP Event Collector, index, sourcetype, forwarder, SPL, no data, no events in index, HEC token, audit events',
  'operator/logs-sentinel':
    'SIEM, Azure Monitor, Log Analytics workspace, data collection rule, DCR, KQL, connector, AMA, Microsoft Defender, audit events, no data',
  'operator/logs-elastic':
    'SIEM, ELK, Kibana, Logstash, Filebeat, OpenSearch, Elastic Agent, index template, data stream, audit events, no data, ship logs to Elasticsearch',
  'operator/logs-loki': 'Grafana, Promtail, Alloy, LogQL, labels, log panel, audit events, no data',
  'operator/metrics':
    'monitoring, observability, Prometheus scrape, OTLP, OTel, Grafana dashboard, alerts, alerting, Alertmanager, Datadog, New Relic, Jaeger, Tempo, distributed tracing, spans, APM, throughput, error rate, latency histogram, time to first token, uptime monitoring, KPI, where are the errors, health of the gateway, how do I monitor it, is the gateway running, dashboard for operations, which alerts do I need, notice a failure, measure response times, connect Grafana, Grafana and Prometheus',
  'operator/retention':
    'retention period, how long are logs kept, delete or purge old log entries, clean up, free disk space, log rotation, archive, cold storage, legal hold, storage limitation, database grows, table size, expiry of data, cleanup, scheduled deletion, tidy, shrink, how long do you keep the logs, delete old entries, the database becomes too large, keep less data',
  'operator/delete-person':
    'GDPR, RGPD, CCPA, right to be forgotten, erase, erasure, anonymize, pseudonymize, data subject request, DSAR, personal data, former employee, delete account, delete user, immutable log, delete the data of a person, forget a person, person asks for deletion',
  'operator/troubleshooting':
    'error, problem, FAQ, fails, does not start, hangs, slow, high latency, timeout, context deadline exceeded, too many connections, connection slots, clock skew, JWT not yet valid, token expired, certificate verify failed, self-signed certificate in chain, UNABLE_TO_VERIFY_LEAF_SIGNATURE, UNABLE_TO_GET_ISSUER_CERT_LOCALLY, DEPTH_ZERO_SELF_SIGNED_CERT, ECONNRESET, ETIMEDOUT, ENOTFOUND, socket hang up, fetch failed, missing environment variable, login loop, invalid redirect, 500 internal server error, stream cut off, ERR_TLS_CERT_ALTNAME_INVALID, CERT_HAS_EXPIRED, hostname mismatch, ENETUNREACH, EAI_AGAIN, EPIPE, EPERM, EACCES, permission denied, out of memory, payment required, service unavailable, gateway timeout, invalid_client, invalid_grant, relation does not exist, permission denied for table, could not connect to server, role does not exist, database does not exist, deadlock, users get 503, calls fail since this morning, broken chain, model not found, service shows failed, error from the engine, streaming arrives all at once, why is it slow, why does it not work, nobody can sign in, all calls fail, gateway does not start, cannot reach the engine, cannot connect to the database, answers are cut, a user gets an error, user cannot log in, login does not work, login fails, support, contact',
  'operator/documentation':
    'host the docs, own documentation, internal docs, llms.txt, docs site, MCP documentation server, knowledge base, publish manual, update documentation, Docusaurus, Mintlify, MkDocs, VitePress, publish our own documentation, search in our documents, add documents',
  'operator/from-litellm':
    'migrate, migration, switch, convert config.yaml, model_list, virtual keys, replace LiteLLM, move from LiteLLM, import keys from LiteLLM',
  'auditor/prove':
    'Merkle tree, inclusion proof, consistency proof, transparency log, tlog, RFC 6962, C2SP, single entry, witness, cosignature, origin, note key, download proof, equivocation, split view, prove that an entry is in the log, prove that no entry is missing, proof for one call, proof without the server',
  'auditor/verify':
    'audit, audit trail, prove integrity, tamper-proof, tampered, chain verification failed, export decisions for a period, CSV, JSON, download log, evidence, compliance, ISO 27001, SOC 2, NIS2, DORA, HIPAA, PCI DSS, who changed a setting and when, change history, offline verification, independent verification, checkpoint, quarter, quarterly, yearly, date range, check the log, check the log offline, verify signatures, verify without access to the server, was the log changed, report for an auditor, what do auditors need, find a decision, who used which model, list of all calls of a person, which developer used which model, give the public key to auditors',
  'developer/calls':
    'curl, REST API, HTTP example, chat completion, Python, JavaScript, Node, Go, Java, OpenAI SDK, list available models, which models, embeddings, SSE, server-sent events, stream, bearer token, authorization header, API key, Postman, completions, responses API, messages API, function calling, which models can I use, which models may I use, streaming example, make a call, first call, call from Python, call from JavaScript, address to call, which header for the key, change the base URL, list my models, answer as a stream, models that I have access to',
  'developer/parallel-calls':
    'concurrency, concurrent requests, simultaneous, many calls at once, batch jobs, throughput, overspend, over the cap, race, too many requests, payment required, backoff, how many calls at the same time, many calls in parallel',
  'developer/tools':
    'editor, IDE, plugin, extension, IntelliJ, PyCharm, WebStorm, Zed, aider, Windsurf, Roo Code, Kilo Code, OpenHands, LangChain, LiteLLM, LlamaIndex, OpenAI SDK, Anthropic SDK, OPENAI_BASE_URL, OPENAI_API_KEY, ANTHROPIC_BASE_URL, base URL, integration, third-party client, Open WebUI, LibreChat, Haystack, which tools work, does my tool work, connect my editor, which coding agents are supported',
  'developer/agents':
    'session header, name a session, session id, child session, parent, sandbox, isolated command, run code remotely, execute shell on the gateway, container, cgroup, bubblewrap, agent framework, subagent, spawn child session, run commands in a sandbox, run code of an agent safely',
  'developer/ask':
    'search docs, MCP server, documentation search, find a page, query API, search box, full-text search, from my editor, RAG, search the manual, ask the manual, manual in my editor',
  'developer/session':
    'coding agent, TUI, terminal UI, REPL, chat, slash commands, keyboard shortcuts, resume conversation, previous session, fork, plan mode, undo, revert, rewind, compact, context window, install gw, exit code, alternative to Claude Code, command line client, CLI of the gateway, start the agent, use the agent, continue a conversation, undo changes of the agent, keys in the terminal',
  'developer/gw-configuration':
    'config file, config.yaml, settings, AGENTS.md, CLAUDE.md, instructions file, default model, HTTP proxy, HTTPS_PROXY, corporate firewall, custom CA, NODE_EXTRA_CA_CERTS, environment variables, MCP, model price, context length, configure gw, where is the configuration of gw, instructions for the agent, choose a model in gw',
  'developer/pr': 'pull request, merge request, PR, MR, GitHub, GitLab, commit message, push a branch, code review, gh',
  'developer/headless':
    'non-interactive, noninteractive, batch, automation, scripting, one-shot, print mode, JSON output, CI pipeline, GitHub Actions, cron, server mode, HTTP API, SDK, use in a script, run without a terminal, output as JSON',
  'developer/editors':
    'ACP, Agent Client Protocol, IDE, IntelliJ, PyCharm, WebStorm, GoLand, Vim, nvim, neovim plugin, Emacs, Zed, VS Code, integration, extension, plugin',
  'developer/gw-tools':
    'permissions, allow, deny, ask every time, approve automatically, auto-approve, yolo, allowlist of commands, shell, bash, MCP server add, subagent, sub-agent, spawn, sandbox, web fetch, read files, edit files, hooks, what may the agent do, allow a command, stop asking for permission, add an MCP server, own commands, skills',
  'developer/sign-in':
    'login, log in, logout, log out, authenticate, device code, device flow, without a browser, headless login, SSH, token expired, sign in again, credentials, keychain, whoami, switch account, remote server, sign in with gw, sign in without a browser, sign out, my key expired',
  'developer/record':
    'session history, transcript, local log, journal, JSONL, what the agent did, replay, telemetry, privacy, audit of my session, delete history, what is recorded on my computer, see what the agent did',
  'developer/map':
    'dependency graph, import graph, architecture diagram, overview of a repo, Mermaid, circular imports, cycles, unfamiliar codebase, module structure, visualize',
  'developer/course':
    'onboarding, tutorial, learn a codebase, unfamiliar codebase, lessons, exercises, new team member, new hire',
  'developer/diagnose':
    'doctor, health check, debug, bug report, support, command not found, self-signed certificate in chain, cannot connect, connection refused, proxy, timeout, 401, unauthorized, invalid API key, network error, client does not work, gw does not work, gw cannot connect, send a bug report',
  'tools/codex': 'OpenAI Codex CLI, config.toml, model provider, wire_api, base URL, API key, AI coding agent',
  'tools/claude-code':
    'Anthropic, ANTHROPIC_BASE_URL, ANTHROPIC_AUTH_TOKEN, ANTHROPIC_API_KEY, settings.json, invalid API key, base URL, please run login, AI coding agent, is Claude supported',
  'tools/opencode': 'SST, opencode.json, provider, base URL, API key, AI coding agent',
  'tools/qwen-code': 'Qwen coder, Alibaba, CLI, base URL, API key, AI coding agent, command line',
  'tools/continue':
    'continue.dev, config.yaml, config.json, VS Code extension, JetBrains, base URL, apiBase, API key, AI coding assistant',
  'tools/cline': 'Roo Code, VS Code extension, OpenAI compatible provider, base URL, API key, AI coding agent',
  'tools/gemini-cli':
    'Google, GOOGLE_GEMINI_BASE_URL, GEMINI_API_KEY, enterprise endpoint, base URL, AI coding agent, command line',
  'tools/copilot-cli':
    'GitHub Copilot command line, terminal, bring your own key, BYOK, base URL, custom provider, AI coding agent',
  'tools/pi': 'pi coding agent, models.json, provider, base URL, API key, AI coding agent',
  'tools/kilo': 'Kilo Code, kilo.json, provider, base URL, API key, AI coding agent, command line',
  'tools/openclaw': 'openclaw.json, assistant, provider, base URL, API key, AI agent',
  'tools/droid': 'Factory, droid exec, custom model, BYOK, base URL, API key, AI coding agent',
  'tools/claude-agent-sdk': 'Anthropic, agent SDK, ANTHROPIC_BASE_URL, library',
  'tools/codex-sdk': 'OpenAI Codex, agent SDK, library',
  'tools/openai-agents': 'OpenAI Agents SDK, agents framework, library, tracing, Python',
  'tools/vercel-ai-sdk': 'AI SDK, includeUsage, streamText, OpenAI compatible provider, library',
  'tools/langchain': 'ChatOpenAI, stream_usage, library, Python, JavaScript',
  'tools/mastra': 'agents framework, library',
  'tools/google-genai': 'GoogleGenAI, Gemini library, x-goog-api-key, Authorization',
  'tools/vs-code':
    'vscode, Visual Studio Code, Copilot Chat, own model, custom model, bring your own key, BYOK, language model, Microsoft, base URL, API key',
  'tools/crush': 'Charm, charmbracelet, crush.json, base URL, provider, API key, AI coding agent',
  'tools/goose': 'Block, custom provider, OPENAI_HOST, base URL, API key, AI coding agent',
  'tools/cursor': 'IDE, Anysphere, custom OpenAI base URL, override base URL, BYOK, API key, AI code editor',
  'deployment/sizing':
    'capacity planning, hardware requirements, system requirements, minimum requirements, CPU, cores, RAM, memory, disk space, how many users, requests per second, throughput, performance, scaling, benchmark, how many machines, how many servers, how many developers, what a call costs in performance, overhead of a call, how many machines do I need, how many requests per second can it handle, how many calls can one gateway serve, how big must the server be, how much disk space does the log need, how fast is it, what does it cost in hardware, number of developers for one server',
  'deployment/single-machine':
    'installation, install, server, VM, bare metal, Linux, Debian, Ubuntu, RHEL, requirements, uninstall, remove, standalone, installation, install on a server, what do I need before I install, install on one server, install on Debian, install on Ubuntu, prerequisites for the installation, how do I install it, move the gateway to another server, move to a new machine, remove it',
  'deployment/services':
    'Docker, docker compose, Podman, Kubernetes, K8s, Helm chart, container image, systemd unit, daemon, autostart, restart on boot, liveness, readiness probe, pod, manifest, Dockerfile, EKS, AKS, GKE, Rancher, cluster, pods, start automatically after reboot, on boot, minikube, run as a service, start at boot, start with systemd, run in Docker, run in Kubernetes, restart the service, logs of the service, run as non-root, ordinary user',
  'deployment/proxies':
    'reverse proxy, ingress, Apache httpd, Envoy, Istio, Cloudflare, ALB, API gateway, proxy_buffering, buffering, streaming stops, SSE, stream stops in the middle, X-Forwarded-For, client IP, TLS termination, 413 body too large, client_max_body_size, 502, 504 gateway timeout, tunnel, reverse tunnel, IP address of the load balancer, behind a reverse proxy, behind nginx, behind a load balancer, under a path, own domain name, timeouts of the proxy, long answers time out',
  'deployment/several':
    'high availability, HA, cluster, scaling, scale out, horizontal, replicas, redundancy, failover, load balancing, load balancer, active-active, two instances, NTP, clock skew, standby, add a second gateway, one more gateway, two gateways, more than one gateway, no single point of failure, gateway fails over, distribute the load',
  'deployment/https':
    'TLS, SSL, certificate, Let’s Encrypt, certbot, ACME, PEM, self-signed, private CA, internal CA, PKI, mTLS, expired certificate, renew without downtime, SIGHUP, encryption in transit, letsencrypt certificate, certificate for the gateway, renew a certificate, own certificate authority, encrypted connections, client certificates',
  'deployment/patroni':
    'high availability, HA, failover, fail over, switchover, replica, standby, leader election, etcd, HAProxy, split brain, automatic promotion, rolling upgrade of the database, repmgr, lost entries, forked log, highly available database, database fails over, standby database, planned switchover',
  'deployment/postgresql':
    'database, DB, Postgres, DATABASE_URL, RDS, Aurora, Cloud SQL, Azure Database, Neon, PgBouncer, Patroni, connection pool, max_connections, too many connections, connection slots, vacuum, disk space, sslmode, replication, which PostgreSQL version, Postgres version, which database do I need, use a managed database, settings of PostgreSQL, which rights does the database user need, create the database, encrypted connection to the database, required privileges in the database',
  'deployment/air-gapped':
    'offline, no internet, isolated network, disconnected, classified, intranet, firewall, no outbound connections, telemetry, phone home, mirror, docker load, install offline, install without internet, does it need internet, which connections does it open, no connection to the outside',
  'deployment/backup':
    'disaster recovery, DR, restore, pg_dump, pg_basebackup, WAL, PITR, point-in-time recovery, snapshot, RPO, RTO, Barman, pgBackRest, corrupted database, nightly copy of the database, cron, scheduled backup, backup strategy, backup plan, back up the database, what must I back up, restore after a loss, server is lost, test a restore',
  'deployment/keys':
    'key rotation, credential rotation, renew, private key, signing key, lost or compromised key, Vault, secrets manager, engine key, provider key, API key, which keys are there, change a key, rotate the signing key, key of the provider, store keys safely, replace a leaked key of the gateway, external secret store',
  'deployment/verify-release':
    'supply chain, provenance, SBOM, signature, checksum, cosign, Sigstore, GPG, authenticity, genuine, integrity of download, binaries, attestation, CVE, dependencies, checksum mismatch, is the download genuine, check the download, which packages does it contain',
  'deployment/upgrade':
    'update, new version, patch, migration failed, schema version, pending migrations, downgrade, rollback, zero downtime, rolling update, release notes, changelog, install a new version, upgrade without an interruption, go back to the old version, which version do I have, migrate the database',
  'reference/versions':
    'compatibility, prerequisites, PostgreSQL version, Node version, operating system, macOS, Linux, ARM, browsers, hardware, CPU, RAM, sizing, capacity planning, end of life, which version of Postgres, which operating systems are supported, which Node version, which PostgreSQL version, which browsers',
  'reference/limits':
    'request body too large, 413, payload size, maximum, timeout, rate limit, throttle, concurrency, context length, quotas, max connections, file size, largest request, largest answer, how long may a call take, maximum number of connections',
  'reference/addresses':
    'URL paths, endpoints, routes, ports, firewall rules, health endpoint, healthz, readiness, API reference, whitelist hosts, scrape endpoint, which URLs are exposed, exposed ports, attack surface, which ports, open ports in the firewall, address of the health check, which addresses exist',
  'reference/configuration':
    'environment variables, env, .env file, settings, options, parameters, flags, defaults, configure, missing environment variable, port number, log level, port, listen address, change the port, list of all settings, which variables exist, where is the configuration file, change the listening port, change the log level',
  'reference/refusals':
    'error codes, error messages, status codes, HTTP errors, 400, 401, 402, 403, 404, 409, 413, 429, 500, 502, 503, 504, forbidden, unauthorized, denied, rejected, budget exceeded, model not allowed, model not found, too many requests, session revoked, bad request, payment required, not found, conflict, content too large, internal server error, bad gateway, service unavailable, gateway timeout, what does this error mean, meaning of an error code, list of errors, why 401, why 403, why 429, why 503',
};
