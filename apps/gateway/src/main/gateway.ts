import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Environment } from '@gateway/configuration';
import { isOwnVariable, refusal } from '@gateway/contract';
import {
  createStandingsReader,
  finishProviderTest,
  keepExpiries,
  keepUpstreamResults,
  readChainPlaces,
  readOrganizationPolicy,
  readPolicyText,
  registerDirectoryIdentity,
  takeProviderTest,
} from '@gateway/database/gateway';
import type { Documentation } from '@gateway/documentation';
import type { Signer } from '@gateway/ledger';
import { openIdentityProvider } from '../auth/oidc/identity-provider.ts';
import { openWorkloads } from '../auth/oidc/workload-port.ts';
import { createAuthorizer } from '../auth/policy/authorizer.ts';
import { createPolicies } from '../auth/policy/policies.ts';
import type { Launcher } from '../commands/launcher.ts';
import type { Configuration } from '../config/configuration.ts';
import type { LogExportConfiguration } from '../config/log-export.ts';
import { createDocumentationHandler } from '../docs/handler.ts';
import { checkpointEvent } from '../export/checkpoints/event.ts';
import { publishCheckpoints } from '../export/checkpoints/publisher.ts';
import type { Exporter } from '../export/exporter.ts';
import { startExportThread } from '../export/thread.ts';
import { answerRefusal } from '../http/answer.ts';
import { BodyBudget } from '../http/body-budget.ts';
import { endOfTerm, termNotice } from '../http/certificate-term.ts';
import { createHttpServer, reloadCertificate } from '../http/create-server.ts';
import { createDraining } from '../http/drain.ts';
import { listen } from '../http/listen.ts';
import { createRouter } from '../http/routes.ts';
import { createInspectors } from '../inspection/inspectors.ts';
import { reportExpiries } from '../process/expiry-reports.ts';
import { createRecurringFault } from '../process/recurring-fault.ts';
import type { Report } from '../process/report.ts';
import type { Profile } from '../profile/profile.ts';
import { ActiveCalls } from '../relay/active-calls.ts';
import { createRelay } from '../relay/pipeline.ts';
import { startProviderTests } from '../relay/provider-tests.ts';
import type { ProviderKeys } from '../relay/request/provider-key.ts';
import { DATABASE_BUDGET } from '../store/budget.ts';
import { openQuestions } from '../store/questions.ts';
import { openRecords } from '../store/records.ts';
import type { Spools } from '../store/state-directory.ts';
import { countTokens } from '../store/usage/tokenizer.ts';
import { createDatabaseWatch } from '../store/watch.ts';
import { openTelemetry } from '../telemetry/open.ts';

import { createUpstreamResults } from '../upstream/results.ts';
import { createUpstreams } from '../upstream/upstreams.ts';
import { openAgents } from './agents.ts';

/** A gateway that serves. */
export interface RunningGateway {
  readonly address: string;
  /**
   * Shows a renewed certificate from now on.
   * @returns whether the service has one. @throws where its files cannot be used: the old one stays.
   */
  reloadCertificate(): boolean;
  /** Ends it in order: requests, then queues, then connections. */
  stop(): Promise<void>;
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
  const { profile, configuration, environment, documentation, signer, spools, report } = parts;
  const { service, database: address, upstream } = configuration;
  const watch = createDatabaseWatch(report, Date.now);
  const questions = openQuestions({
    address,
    billing: profile.readsBilling,
    organization: service.organization,
    watch,
    onBatch: (size) => metrics?.batch('facts', size),
  });
  const { facts, link } = questions;
  const records = openRecords({
    address,
    signer,
    spools,
    watch,
    report,
    onBatch: (operation, size) => metrics?.batch(operation, size),
  });
  const { decisions, usage, detections } = records;
  const upstreams = createUpstreams(upstream);
  const upstreamResults = createUpstreamResults(
    (results) => keepUpstreamResults(link, results, performance.now() + DATABASE_BUDGET),
    report,
  );
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
  const within = (): number => performance.now() + DATABASE_BUDGET;
  const providerTests = startProviderTests({
    take: () => takeProviderTest(link, within()),
    finish: (id, result) => finishProviderTest(link, id, result, within()),
    upstreams,
    providerKeys: providerKeysOf(environment),
    clientCertificate: upstream.tls.client !== null,
  });
  const authorizer = createAuthorizer(createPolicies((revision, deadline) => readPolicyText(link, revision, deadline)));
  const identities = {
    addedAuthorities: upstream.tls.addedAuthorities,
    proxy: { HTTPS_PROXY: upstream.httpsProxy?.href, NO_PROXY: upstream.noProxy ?? undefined },
    register: (subject: string) => registerDirectoryIdentity(link, subject, performance.now() + DATABASE_BUDGET),
    report,
    clock: Date.now,
  };
  const people =
    configuration.directory.directory &&
    openIdentityProvider({ configuration: configuration.directory.directory, ...identities });
  const { workloads } = configuration;
  const directory =
    workloads.length === 0 ? people : openWorkloads({ sources: workloads, directory: people, ...identities });
  // Ed25519 signatures are deterministic: the digests of findings stay comparable as long as the signing key does.
  const inspectors = createInspectors(
    (revision, deadline) => readOrganizationPolicy(link, service.organization ?? '', revision, deadline),
    createHash('sha256')
      .update(signer.sign(Buffer.from('digests of detected secrets')))
      .digest(),
    Date.now,
  );
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
    times: metrics?.times ?? null,
    tracer: telemetry.tracer,
    clientCertificate: upstream.tls.client !== null,
    providerKeys: providerKeysOf(environment),
    bodies,
    activeCalls,
    trustedProxies: service.trustedProxies,
    requestTimeout: service.requestTimeout,
    idleTimeout: upstream.idleTimeout,
    tokenizer: countTokens,
    clock: Date.now,
    report,
  });
  const agents = await openAgents({
    configuration,
    launcher: parts.launcher,
    services,
    facts,
    decisions,
    directory,
    authorizer,
    inspectors,
    detections,
    bodies,
    report,
  });
  const documents = createDocumentationHandler(documentation, bodies.part(service.bodyMemory / ANONYMOUS_PART), report);
  const mounted = new Map([...agents.mounted, ['v', documents]]);
  const router = createRouter({ mounted, relay });
  const http = createHttpServer(
    (request, response) => {
      if (draining.track(response)) router(request, response);
      else answerRefusal(response, refusal('ending'));
    },
    { requestTimeout: service.requestTimeout, tls: service.tls },
  );
  const draining = createDraining(http);
  const reportTerm = (): void => {
    const notice = service.tls && termNotice(service.tls.certificateFile, Date.now());
    if (notice !== null) report(notice);
  };
  const exporter = configuration.logExport && exportLogs(configuration, configuration.logExport, report);
  const checkpoints =
    service.checkpointInterval &&
    publishCheckpoints({
      intervalMs: service.checkpointInterval,
      file: service.checkpointFile,
      readPlaces: () => readChainPlaces(link, performance.now() + DATABASE_BUDGET),
      signer,
      onPublished: (checkpoint) => exporter?.publish(checkpointEvent(checkpoint)),
      report,
    });
  const opened = await listen(http.server, service.port, service.host, service.tls === null ? 'http' : 'https');
  reportTerm();
  let certificateEnds = service.tls && endOfTerm(service.tls.certificateFile);
  const expiries = reportExpiries(
    () => [
      ...(services.licenseEndsAt ? [{ kind: 'license' as const, at: services.licenseEndsAt }] : []),
      ...(certificateEnds ? [{ kind: 'certificate' as const, at: certificateEnds }] : []),
    ],
    (found) => keepExpiries(link, found, within()),
  );
  return {
    address: opened,
    reloadCertificate() {
      if (service.tls === null) return false;
      reloadCertificate(http, service.tls);
      reportTerm();
      certificateEnds = endOfTerm(service.tls.certificateFile);
      expiries.now();
      return true;
    },
    async stop() {
      try {
        await endRequests();
      } finally {
        await records.settle(); // whatever failed before, what calls consumed is not lost
      }
      if (checkpoints) await checkpoints.stop();
      await exporter?.stop();
      await telemetry.close();
      expiries.close();
      await providerTests.close();
      await upstreams.close();
      await upstreamResults.close();
      documentation.close();
      services.close();
      activeCalls.close();
      standings.close();
      questions.close();
    },
  };

  async function endRequests(): Promise<void> {
    await draining.drain(service.drainTimeout);
    await agents.close(); // before their connections end: anybody who waits for a command is told that it was ended, and why
    const cut = await draining.cut();
    if (cut > 0) report(`${cut} answers were cut at the end of GATEWAY_DRAIN_SECONDS.`);
    await pause(0); // answers that were cut have handed over their records by then
  }
}

/**
 * A provider names a variable of this environment; those that the programs themselves use are none of them, or anybody who
 * may declare a provider could have the database's password sent to it.
 */
function providerKeysOf(environment: Environment): ProviderKeys {
  // Mounted secrets often end in a line break, and no header's value begins or ends with a blank.
  return (variable) => (isOwnVariable(variable) ? null : environment[variable]?.trim() || null);
}

/** Milliseconds the database may take of one look at what was revoked. */
const STANDINGS_BUDGET = 2000;

/** Anybody who proves nothing may hold this part of the memory for bodies: those who do are not refused for them. */
const ANONYMOUS_PART = 8;

function openBodyBudget(bytes: number, report: Report): BodyBudget {
  const full = createRecurringFault('GATEWAY_BODY_MEMORY_MIB: a request was refused with 503', report, Date.now);
  return new BodyBudget(bytes, () => full.report('the bodies held in memory have reached their limit'));
}

/** The export of the logs, which takes nothing but a part of the database's time from the relay. */
function exportLogs({ database, upstream }: Configuration, to: LogExportConfiguration, report: Report): Exporter {
  if (!to.secure) report(`GATEWAY_LOG_EXPORT_URL: the logs travel to ${to.host} in clear text.`);
  const { httpsProxy, noProxy, tls } = upstream;
  const shared = { httpsProxy: httpsProxy?.href ?? null, noProxy, addedAuthorities: tls.addedAuthorities };
  return startExportThread({ configuration: to, database, budgetMs: DATABASE_BUDGET, upstream: shared }, report);
}
