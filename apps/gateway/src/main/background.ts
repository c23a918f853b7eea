import { hostname } from 'node:os';
import type { Environment } from '@gateway/configuration';
import { isOwnVariable } from '@gateway/contract';
import {
  createLink,
  createLogTrees,
  finishProviderTest,
  keepExpiries,
  keepKeyVariables,
  type Link,
  readChainPositions,
  readKeyVariables,
  takeProviderTest,
} from '@gateway/database/gateway';
import type { Signer } from '@gateway/ledger';
import type { Configuration } from '../config/configuration.ts';
import type { LogExportConfiguration } from '../config/log-export.ts';
import type { Exporter } from '../export/exporter.ts';
import { checkpointEvent, publishCheckpoints } from '../export/publisher.ts';
import { startExportThread } from '../export/thread.ts';
import { createTreeNotes, startTreeBuilding } from '../export/tree-notes.ts';
import { endOfTerm } from '../http/listen.ts';
import { reportExpiries, reportKeyVariables } from '../process/expiry-reports.ts';
import type { Report } from '../process/report.ts';
import type { ProfileServices } from '../profile/profile.ts';
import { startProviderTests } from '../relay/provider-tests.ts';
import type { ProviderKeys } from '../relay/request/provider-key.ts';
import { DATABASE_BUDGET } from '../store/budget.ts';
import type { Upstreams } from '../upstream/upstreams.ts';

export interface BackgroundParts {
  readonly configuration: Configuration;
  readonly environment: Environment;
  readonly signer: Signer;
  readonly link: Link;
  readonly upstreams: Upstreams;
  readonly services: Pick<ProfileServices, 'licenseEndsAt'>;
  readonly report: Report;
}

/** Background work of the gateway, which runs in one of its processes. */
export interface Background {
  /** The term of another certificate is reported. */
  certificateRenewed(): void;
  stop(): Promise<void>;
}

/** Starts the log export, the trees over the logs, the checkpoints, the tests of providers, and the reports of terms and key variables. */
export function startBackground(parts: BackgroundParts): Background {
  const { configuration, environment, signer, link, upstreams, services, report } = parts;
  const { service, upstream } = configuration;
  const within = (): number => performance.now() + DATABASE_BUDGET;
  const treeLink = createLink({
    address: configuration.database,
    applicationName: 'gateway log tree',
    budgetMs: DATABASE_BUDGET,
  });
  const trees = createLogTrees(treeLink, DATABASE_BUDGET);
  const treeBuilding = startTreeBuilding({ trees, report });
  const exporter = configuration.logExport && exportLogs(configuration, configuration.logExport, report);
  const checkpoints =
    service.checkpointInterval &&
    publishCheckpoints({
      intervalMs: service.checkpointInterval,
      file: service.checkpointFile,
      readPositions: () => readChainPositions(link, signer, within()),
      signer,
      treeNotes: createTreeNotes({
        trees,
        signer: { signer, component: 'gateway', origin: service.logOrigin },
        file: service.checkpointFile,
        witnesses: service.witnesses,
        upstreams,
        report,
      }),
      onPublished: (checkpoint) => exporter?.publish(checkpointEvent(checkpoint)),
      report,
    });
  const providerKeys = providerKeysOf(environment, upstream.keyPattern);
  const providerTests = startProviderTests({
    take: () => takeProviderTest(link, within()),
    finish: (id, result) => finishProviderTest(link, id, result, within()),
    upstreams,
    providerKeys,
    clientCertificate: upstream.tls.client !== null,
  });
  const keyVariables = reportKeyVariables({
    gateway: `${hostname()}:${service.port}`,
    names: () => readKeyVariables(link, within()),
    isSet: (name) => providerKeys(name) !== null,
    keep: (variables) => keepKeyVariables(link, variables, within()),
  });
  let certificateEnds = service.tls && endOfTerm(service.tls.certificateFile);
  const expiries = reportExpiries(
    () => [
      ...(services.licenseEndsAt ? [{ kind: 'license' as const, at: services.licenseEndsAt }] : []),
      ...(certificateEnds ? [{ kind: 'certificate' as const, at: certificateEnds }] : []),
    ],
    (found) => keepExpiries(link, found, within()),
  );
  return {
    certificateRenewed() {
      certificateEnds = service.tls && endOfTerm(service.tls.certificateFile);
      expiries.now();
    },
    async stop() {
      if (checkpoints) await checkpoints.stop();
      await treeBuilding.stop();
      trees.close();
      await exporter?.stop();
      expiries.close();
      await keyVariables.close();
      await providerTests.close();
    },
  };
}

/** The export of the logs, which shares only the database with the relay. */
function exportLogs({ database, upstream }: Configuration, to: LogExportConfiguration, report: Report): Exporter {
  if (!to.secure) report(`GATEWAY_LOG_EXPORT_URL: the logs are sent to ${to.host} unencrypted.`);
  const { httpsProxy, noProxy, tls } = upstream;
  const shared = { httpsProxy: httpsProxy?.href ?? null, noProxy, addedAuthorities: tls.addedAuthorities };
  return startExportThread({ configuration: to, database, budgetMs: DATABASE_BUDGET, upstream: shared }, report);
}

/**
 * A provider names a variable of this environment. The programs' own variables are excluded: a provider declared with one could
 * receive the database's password.
 * @param pattern what the names must match, where an operator restricts them
 */
export function providerKeysOf(environment: Environment, pattern: RegExp | null): ProviderKeys {
  return (variable) => {
    if (isOwnVariable(variable) || pattern?.test(variable) === false) return null;
    // Mounted secrets often end in a line break, and no header's value begins or ends with a blank.
    return environment[variable]?.trim() || null;
  };
}
