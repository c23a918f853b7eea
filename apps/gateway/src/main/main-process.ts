import type { Environment } from '@gateway/configuration';
import { createLink } from '@gateway/database/gateway';
import type { Signer } from '@gateway/ledger';
import type { Launcher } from '../commands/launcher.ts';
import type { Configuration } from '../config/configuration.ts';
import { listen } from '../http/listen.ts';
import type { Report } from '../process/report.ts';
import { StartupFault } from '../process/start-fault.ts';
import type { Profile } from '../profile/profile.ts';
import { DATABASE_BUDGET, DECISION_CAPACITY } from '../store/budget.ts';
import { openDecisionLog, openRecords } from '../store/records.ts';
import type { Spools } from '../store/state-directory.ts';
import { createDatabaseWatch } from '../store/watch.ts';
import { createUpstreams } from '../upstream/upstreams.ts';
import { Acceptor } from '../workers/acceptor.ts';
import type { CommandRequest } from '../workers/commands/messages.ts';
import { CommandServer } from '../workers/commands/server.ts';
import { createDecisionServer } from '../workers/decisions/server.ts';
import { openHub } from '../workers/hub.ts';
import { createKeeper } from '../workers/keeper.ts';
import { createSharedReport } from '../workers/shared-lines.ts';
import { startBackground } from './background.ts';
import { openExecution } from './execution.ts';
import { openInspectors, type RunningGateway } from './gateway.ts';

/** Milliseconds until a statement gives up on a lock. */
const LOCK_TIMEOUT = 1000;

export interface MainParts<Own> {
  readonly profile: Profile<Own>;
  readonly configuration: Configuration<Own>;
  readonly environment: Environment;
  readonly signer: Signer;
  readonly spools: Spools;
  readonly launcher: Launcher | null;
  readonly report: Report;
  /** The gateway cannot continue: it must be stopped, and has failed. */
  readonly onHopeless: () => void;
}

/** Number of this process among the sources of lines; workers count from 1. */
const MAIN = 0;

/** Starts the workers and runs their shared parts: the decision log, agent commands, the port, and background work. */
export async function startMain<Own>(parts: MainParts<Own>): Promise<RunningGateway> {
  const { profile, configuration, signer, spools, launcher, onHopeless } = parts;
  const { service, database: address } = configuration;
  const reportOf = createSharedReport(parts.report, () => performance.now());
  const report: Report = (line, level) => reportOf(MAIN, line, level);
  const watch = createDatabaseWatch(report, Date.now);
  const link = createLink({
    address,
    applicationName: 'gateway checks',
    budgetMs: DATABASE_BUDGET,
    settings: { lock_timeout: LOCK_TIMEOUT },
  });
  const log = openDecisionLog({
    address,
    signer,
    watch,
    report,
    capacity: 2 * DECISION_CAPACITY, // each worker keeps to its share of half of it
    onBatch: (size) => decisions.batch(size),
  });
  const decisions = createDecisionServer(log);
  const records = openRecords({ address, decisions: log, spools, watch, report, onBatch: () => {} });
  const execution = await openExecution(configuration, launcher, records.detections, report);
  const commands = execution && new CommandServer(execution, openInspectors(link, signer, service.organization));
  const hub = await openHub(service.stateDirectory, (socket, first) => {
    const request = first as CommandRequest | { readonly ask: 'decisions' };
    if (request.ask === 'decisions') return decisions.serve(socket);
    if (commands !== null) return commands.serve(socket, request);
    socket.destroy();
    return () => {};
  });
  const acceptor = new Acceptor();
  const keeper = createKeeper({
    count: service.threads,
    program: process.argv[1] as string,
    path: hub.path,
    acceptor,
    report,
    onLine: reportOf,
    onHopeless,
  });
  const upstreams = createUpstreams(configuration.upstream);
  const services = profile.open(configuration.profile, { link, clock: Date.now, report });

  async function end(): Promise<void> {
    acceptor.close();
    const inOrder = await keeper.stop();
    await execution?.close();
    await records.settle();
    await background?.stop();
    await upstreams.close();
    services.close();
    hub.close();
    link.cut();
    if (!inOrder) throw new Error('a worker did not shut down cleanly');
  }

  let background: ReturnType<typeof startBackground> | null = null;
  try {
    if (!(await keeper.start())) throw new StartupFault(''); // the worker has reported why
    background = startBackground({ ...parts, link, upstreams, services, report });
    const scheme = service.tls === null ? 'http' : 'https';
    const opened = await listen(acceptor.server, service.port, service.host, scheme);
    return {
      address: opened,
      reloadCertificate() {
        keeper.reload();
        if (service.tls !== null) background?.certificateRenewed();
        return 'by workers';
      },
      stop: end,
    };
  } catch (error) {
    await end().catch(() => {}); // what ended the start is reported
    throw error;
  }
}
