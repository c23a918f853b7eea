import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Environment } from '@gateway/configuration';
import { refusal } from '@gateway/contract';
import type { Link } from '@gateway/database/client/link';
import type { Documentation } from '@gateway/documentation';
import { registerOidcIdentity } from '@gateway/domain/account/gateway';
import { readOrganizationPolicy } from '@gateway/domain/organization/gateway';
import { readPolicyText } from '@gateway/domain/policy/gateway';
import { keepUpstreamResults } from '@gateway/domain/provider/gateway';
import { createAgentCommands, createStandingsReader } from '@gateway/domain/session/gateway';
import { createWorkstations } from '@gateway/domain/session/gateway-workstations';
import type { Signer } from '@gateway/ledger';
import { createAuthorizer, createPolicies } from '../auth/authorizer.ts';
import { openIdentityProvider, openWorkloads } from '../auth/identity-provider.ts';
import { Execution } from '../commands/execution.ts';
import { createExecutionHandler } from '../commands/handler.ts';
import type { Launcher } from '../commands/launcher.ts';
import type { ExecutionPorts } from '../commands/ports.ts';
import type { Configuration } from '../config/configuration.ts';
import { answerRefusal } from '../http/answer.ts';
import { BodyBudget } from '../http/body.ts';
import { createDraining, createHttpServer, listen, reloadCertificate, termNotice } from '../http/create-server.ts';
import { createDocumentationHandler } from '../http/documentation.ts';
import { createRouter, type Handler } from '../http/routes.ts';
import { createWorkstationHandler } from '../http/workstation.ts';
import { createInspectors, type Inspectors } from '../inspection/inspectors.ts';
import { createRecurringFault, type Report } from '../process/report.ts';
import type { Profile, ProfileServices } from '../profile/profile.ts';
import { ActiveCalls } from '../relay/active-calls.ts';
import { createRelay } from '../relay/pipeline.ts';
import { createDatabaseWatch, DATABASE_BUDGET, openQueries } from '../store/database.ts';
import { openRecords, type Records } from '../store/records.ts';
import type { Spools } from '../store/state-directory.ts';
import { countTokens } from '../store/tokenizer.ts';
import { openTelemetry } from '../telemetry/open.ts';
import { UnreachedProviders } from '../upstream/failure.ts';
import { createUpstreamResults } from '../upstream/results.ts';
import { createUpstreams } from '../upstream/upstreams.ts';
import { providerKeysOf, startBackground } from './background.ts';

interface AgentParts
  extends Pick<ExecutionPorts, 'facts' | 'decisions' | 'directory' | 'authorizer' | 'inspectors' | 'bodies'> {
  readonly services: Pick<ProfileServices, 'commands' | 'workstation'>;
  readonly configuration: Configuration;
  /** Null where no agent commands are run. */
  readonly execution: Execution | null;
  readonly report: Report;
}

/** The routes for agents and workstations, besides the relay. */
interface Agents {
  /** By first segment. */
  readonly mounted: ReadonlyMap<string, Handler>;
  /** Ends the commands that still run for callers of this process. */
  close(): Promise<void>;
}

/** Wires agent execution and the workstation control plane. */
function openAgents(parts: AgentParts): Agents {
  const { services, configuration, execution, report } = parts;
  const { database: address, service } = configuration;
  const { directory } = configuration.directory;
  const workstations = createWorkstations({ address, budgetMs: DATABASE_BUDGET });
  const commands = createExecutionHandler({
    ...services.commands,
    facts: parts.facts,
    decisions: parts.decisions,
    directory: parts.directory,
    authorizer: parts.authorizer,
    inspectors: parts.inspectors,
    execution,
    bodies: parts.bodies,
    trustedProxies: service.trustedProxies,
    clock: Date.now,
    report,
  });
  const controlPlane = createWorkstationHandler({
    organization: service.organization,
    workstations,
    license: services.workstation,
    directory: directory && { issuer: directory.issuer, clientId: directory.clientId },
    trustedProxies: service.trustedProxies,
    bodies: parts.bodies,
    report,
  });
  return {
    mounted: new Map([
      ['_agent-execution', commands],
      ['ide', controlPlane],
    ]),
    async close() {
      await execution?.close();
      workstations.close();
    },
  };
}

/** A gateway that serves. */
export interface RunningGateway {
  readonly address: string;
  /**
   * Uses a renewed certificate from now on.
   * @returns whether the service has one. @throws where its files cannot be used: the old one stays.
   */
  reloadCertificate(): boolean;
  /** Ends it in order: requests, then queues, then connections. */
  stop(): Promise<void>;
}

/** Opens the execution of agent commands; null where it is disabled. Closing it also closes the launcher. */
async function openExecution(
  { database: address, execution: configured }: Configuration,
  launcher: Launcher | null,
  detections: Records['detections'],
  report: Report,
): Promise<Execution | null> {
  if (launcher === null || configured === null) return null;
  const record = createAgentCommands({ address, budgetMs: DATABASE_BUDGET, standingsBudgetMs: STANDINGS_BUDGET });
  const onClosed = async (): Promise<void> => {
    await launcher.close();
    record.close();
  };
  return Execution.open({ ...configured, launcher, record, detections, report, onClosed });
}

export interface GatewayParts<Own> {
  readonly profile: Profile<Own>;
  readonly configuration: Configuration<Own>;
  readonly environment: Environment;
  readonly documentation: Documentation;
  readonly signer: Signer;
  readonly spools: Spools;
  /** Null where no agent commands are run. */
  readonly launcher: Launcher | null;
  readonly report: Report;
}

/** Wires the adapters to the pipeline and opens the port. */
export async function startGateway<Own>(parts: GatewayParts<Own>): Promise<RunningGateway> {
  const { profile, configuration, environment, documentation, signer, spools, launcher, report } = parts;
  const { service, database: address, upstream } = configuration;
  const watch = createDatabaseWatch(report, Date.now);
  const queries = openQueries({
    address,
    billing: profile.readsBilling,
    organization: service.organization,
    watch,
    onBatch: (size) => metrics?.batch('facts', size),
  });
  const { facts, link } = queries;
  const onBatch = (operation: 'decision' | 'usage', size: number) => metrics?.batch(operation, size);
  const records = openRecords({
    address,
    signer,
    stateDirectory: service.stateDirectory,
    spools,
    watch,
    report,
    onBatch,
  });
  const { decisions, usage, detections } = records;
  const upstreams = createUpstreams(upstream);
  const upstreamResults = createUpstreamResults(
    (batch) => keepUpstreamResults(link, batch, performance.now() + DATABASE_BUDGET),
    report,
  );
  const unreached = new UnreachedProviders(report, (provider) => metrics?.skipped(provider));
  const services = profile.open(configuration.profile, { link, clock: Date.now, report });
  const telemetry = openTelemetry(
    configuration,
    report,
    {
      usageWaiting: () => usage.waiting,
      detectionsWaiting: () => detections.waiting,
      resultsWaiting: () => upstreamResults.waiting,
      openAnswers: () => activeCalls.size,
      bodies: () => bodies.used,
    },
    services.cost,
  );
  const { metrics } = telemetry;
  const authorizer = createAuthorizer(createPolicies((revision, deadline) => readPolicyText(link, revision, deadline)));
  const identities = {
    addedAuthorities: upstream.tls.addedAuthorities,
    proxy: { HTTPS_PROXY: upstream.httpsProxy?.href, NO_PROXY: upstream.noProxy ?? undefined },
    register: (subject: string) => registerOidcIdentity(link, subject, performance.now() + DATABASE_BUDGET),
    report,
    clock: Date.now,
  };
  const people =
    configuration.directory.directory &&
    openIdentityProvider({ configuration: configuration.directory.directory, ...identities });
  const { workloads } = configuration;
  const directory =
    workloads.length === 0 ? people : openWorkloads({ sources: workloads, directory: people, ...identities });
  const inspectors = openInspectors(link, signer, service.organization);
  const bodies = openBodyBudget(service.bodyMemory, report);
  const standings = createStandingsReader(address, STANDINGS_BUDGET);
  const activeCalls = new ActiveCalls({ standings });
  const relay = createRelay({
    ...services.relay,
    facts: metrics?.facts(facts) ?? facts,
    decisions: metrics?.decisions(decisions) ?? decisions,
    directory,
    authorizer,
    inspectors,
    detections,
    usage: metrics?.usage(usage) ?? usage,
    upstreams,
    upstreamResults: metrics?.upstreamResults(upstreamResults) ?? upstreamResults,
    unreached,
    times: metrics?.times ?? null,
    tracer: telemetry.tracer,
    clientCertificate: upstream.tls.client !== null,
    providerKeys: providerKeysOf(environment, upstream.keyPattern),
    bodies,
    activeCalls,
    trustedProxies: service.trustedProxies,
    requestTimeout: service.requestTimeout,
    idleTimeout: upstream.idleTimeout,
    tokenizer: countTokens,
    clock: Date.now,
    report,
  });
  const agents = openAgents({
    configuration,
    execution: await openExecution(configuration, launcher, detections, report),
    services,
    facts,
    decisions,
    directory,
    authorizer,
    inspectors,
    bodies,
    report,
  });
  const documents = createDocumentationHandler(documentation, bodies.part(service.bodyMemory / ANONYMOUS_PART), report);
  const mounted = new Map([...agents.mounted, ['v', documents]]);
  const router = createRouter({ mounted, relay });
  const server = createHttpServer(
    (request, response) => {
      if (draining.track(response)) router(request, response);
      else answerRefusal(response, refusal('ending'));
    },
    { requestTimeout: service.requestTimeout, tls: service.tls },
  );
  const draining = createDraining(server);
  const reportTerm = (): void => {
    const notice = service.tls && termNotice(service.tls.certificateFile, Date.now());
    if (notice !== null) report(notice);
  };
  const background = startBackground({ configuration, environment, signer, link, upstreams, services, report });
  const opened = await listen(server, service, service.tls === null ? 'http' : 'https');
  reportTerm();
  return {
    address: opened,
    reloadCertificate() {
      if (service.tls === null) return false;
      reloadCertificate(server, service.tls);
      reportTerm();
      background.certificateRenewed();
      return true;
    },
    async stop() {
      try {
        await endRequests();
      } finally {
        await records.settle(); // even after a failure, no usage record is lost
      }
      await background.stop();
      await telemetry.close();
      await upstreams.close();
      await upstreamResults.close();
      unreached.close();
      documentation.close();
      services.close();
      activeCalls.close();
      standings.close();
      queries.close();
    },
  };

  async function endRequests(): Promise<void> {
    await draining.drain(service.drainTimeout);
    await agents.close(); // before their connections end: callers of commands receive the end and its cause
    const cut = await draining.cut();
    if (cut > 0) report(`${cut} answers were cut at the end of GATEWAY_DRAIN_SECONDS.`);
    await pause(0); // by then, cut answers have queued their records
  }
}

/** Milliseconds the database may take of one look at what was revoked. */
const STANDINGS_BUDGET = 2000;

/** Callers without a proof share this part of the memory for bodies: authenticated callers are not refused because of them. */
const ANONYMOUS_PART = 8;

function openBodyBudget(bytes: number, report: Report): BodyBudget {
  const full = createRecurringFault('GATEWAY_BODY_MEMORY_MIB: a request was refused with 503', report);
  return new BodyBudget(bytes, () => full.report('the bodies held in memory have reached their limit'));
}

/** Looks for secrets by the policies of the organization. */
function openInspectors(link: Link, signer: Signer, organization: string | null): Inspectors {
  return createInspectors(
    (revision, deadline) => readOrganizationPolicy(link, organization ?? '', revision, deadline),
    // Ed25519 signatures are deterministic: the digests of findings stay comparable while the signing key is the same.
    createHash('sha256')
      .update(signer.sign(Buffer.from('digests of detected secrets')))
      .digest(),
    Date.now,
  );
}
