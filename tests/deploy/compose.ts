import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parse } from 'yaml';

interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly env_file?: readonly { readonly path: string; readonly required: boolean }[];
  readonly volumes?: readonly string[];
  readonly secrets?: readonly string[];
  readonly ports?: readonly string[];
  readonly network_mode?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly tmpfs?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[]; readonly interval: string; readonly retries: number };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly stop_grace_period?: string;
  readonly restart?: string;
}

interface ComposeFile {
  readonly name: string;
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

const KNOWN = new Set(
  `image command environment env_file volumes secrets ports network_mode read_only cap_drop security_opt tmpfs healthcheck
  depends_on stop_grace_period restart`.split(/\s+/),
);

/** Puts the variables of `.env` into the text, in the three forms of the file. */
function interpolated(text: string, variables: ReadonlyMap<string, string>): string {
  return text.replaceAll(/\$\{(\w+)(?:(:[-?])([^}]*))?\}/g, (_, name: string, operator?: string, word = '') => {
    const value = variables.get(name) ?? '';
    if (value !== '') return value;
    if (operator === ':?') throw new Error(`${name}: ${word}`);
    return operator === ':-' ? word : '';
  });
}

function readVariables(file: string): ReadonlyMap<string, string> {
  const lines = readFileSync(file, 'utf8').matchAll(/^([A-Z_]+)=(.*)$/gm);
  return new Map([...lines].map(([, name = '', value = '']) => [name, value]));
}

/** Limits that every machine allows: podman asks for more by default, which needs a capability. */
const LIMITS = ['--ulimit=nofile=4096:4096', '--ulimit=nproc=4096:4096'];

/**
 * What `docker compose up` does with a file, by podman and runc: the services in the order of `depends_on`, each with all that its
 * entry says. An entry that this runner does not know is an error.
 * @param folder contains `compose.yaml` and `.env`
 * @param env where podman finds the images
 */
export function composeOf(folder: string, env: NodeJS.ProcessEnv) {
  const text = readFileSync(join(folder, 'compose.yaml'), 'utf8').replaceAll(/^ *#.*$/gm, '');
  const variables = readVariables(join(folder, '.env'));
  const file = parse(interpolated(text, variables), { merge: true }) as ComposeFile;
  for (const [name, service] of Object.entries(file.services)) {
    const unknown = Object.keys(service).filter((key) => !KNOWN.has(key));
    if (unknown.length > 0) throw new Error(`${name}: ${unknown.join(', ')} is not known to this runner.`);
  }
  const container = (name: string): string => `${file.name}-${name}`;

  function podman(input: string, ...words: readonly string[]) {
    const options = { env, encoding: 'utf8', input } as const;
    const { status, stdout, stderr, error } = spawnSync('podman', ['--runtime', 'runc', ...words], options);
    return { status, out: `${stdout}${stderr}${error?.message ?? ''}` };
  }
  function must(input: string, ...words: readonly string[]): string {
    const { status, out } = podman(input, ...words);
    if (status !== 0) throw new Error(`podman ${words.join(' ')}: ${out}`);
    return out;
  }

  const each = (option: string, values: readonly string[] = []): readonly string[] =>
    values.map((value) => `--${option}=${value}`);

  function optionsOf(service: Service): readonly string[] {
    const mount = (volume: string): string =>
      volume.startsWith('.') ? resolve(folder, volume) : `${file.name}-${volume}`;
    const files = (service.env_file ?? []).map(({ path, required }) => ({ path: join(folder, path), required }));
    const absent = files.find(({ path, required }) => required && !existsSync(path));
    if (absent !== undefined) throw new Error(`${absent.path} is missing.`);
    return [
      ...each(
        'env',
        Object.entries(service.environment ?? {}).map((pair) => pair.join('=')),
      ),
      ...each(
        'env-file',
        files.map(({ path }) => path).filter((path) => existsSync(path)),
      ),
      ...each('volume', service.volumes?.map(mount)),
      ...each(
        'volume',
        service.secrets?.map((name) => `${resolve(folder, file.secrets[name]?.file ?? '')}:/run/secrets/${name}:ro`),
      ),
      ...each('publish', service.ports),
      ...each('cap-drop', service.cap_drop),
      ...each(
        'security-opt',
        service.security_opt?.map((option) => option.replace(/:true$/, '')),
      ),
      ...each('tmpfs', service.tmpfs),
      ...(service.read_only === true ? ['--read-only', '--read-only-tmpfs=false'] : []),
      `--network=${service.network_mode ?? 'bridge'}`,
      ...LIMITS,
    ];
  }

  const namedService = (name: string): Service => {
    const service = file.services[name];
    if (service === undefined) throw new Error(`There is no service ${name}.`);
    return service;
  };

  async function isFulfilled(name: string, condition: string): Promise<void> {
    if (condition === 'service_completed_successfully') {
      const code = must('', 'wait', container(name)).trim();
      if (code !== '0') throw new Error(`${name} ended with ${code}: ${podman('', 'logs', container(name)).out}`);
      return;
    }
    if (condition !== 'service_healthy') throw new Error(`The condition ${condition} is not known to this runner.`);
    const { test = [], interval = '', retries = 0 } = namedService(name).healthcheck ?? {};
    const [kind, ...words] = test;
    if (kind !== 'CMD') throw new Error(`A health check of the kind ${kind} is not known to this runner.`);
    for (let tries = 0; podman('', 'exec', container(name), ...words).status !== 0; tries += 1) {
      if (tries > retries || podman('', 'inspect', '--format={{.RestartCount}}', container(name)).out.trim() !== '0')
        throw new Error(`${name} is not healthy: ${podman('', 'logs', container(name)).out}`);
      await pause(Number.parseInt(interval, 10) * 1000);
    }
  }

  return {
    /** Starts all services. */
    async up(): Promise<void> {
      const started = new Set<string>();
      const start = async (name: string): Promise<void> => {
        if (started.has(name)) return;
        started.add(name);
        const service = namedService(name);
        for (const [other, { condition }] of Object.entries(service.depends_on ?? {})) {
          await start(other);
          await isFulfilled(other, condition);
        }
        const grace = Number.parseInt(service.stop_grace_period ?? '10', 10);
        const options = [`--stop-timeout=${grace}`, `--restart=${service.restart ?? 'no'}`, ...optionsOf(service)];
        must(
          '',
          'run',
          '--detach',
          '--pull=never',
          '--name',
          container(name),
          ...options,
          service.image,
          ...(service.command ?? []),
        );
      };
      for (const name of Object.keys(file.services)) await start(name);
    },
    /** `docker compose run --rm`. @returns what it prints */
    run(name: string, command: readonly string[], input = ''): string {
      const service = namedService(name);
      return must(
        input,
        'run',
        '--rm',
        '--interactive',
        '--pull=never',
        ...optionsOf(service),
        service.image,
        ...command,
      );
    },
    logs: (name: string): string => podman('', 'logs', container(name)).out,
    /** Its state, as podman says it: `running`, for example. */
    state: (name: string): string => must('', 'inspect', '--format={{.State.Status}}', container(name)).trim(),
    /** Stops the services in order, and deletes their containers. @returns the exit codes */
    stop(): Readonly<Record<string, string>> {
      const codes: Record<string, string> = {};
      for (const name of Object.keys(file.services).toReversed()) {
        must('', 'stop', container(name));
        codes[name] = must('', 'inspect', '--format={{.State.ExitCode}}', container(name)).trim();
        must('', 'rm', container(name));
      }
      return codes;
    },
    /** Deletes everything, whatever its state. */
    remove(): void {
      for (const name of Object.keys(file.services)) podman('', 'rm', '--force', '--time=0', container(name));
      const volumes = podman('', 'volume', 'ls', '--quiet', `--filter=name=${file.name}-`).out.trim().split(/\s+/);
      podman('', 'volume', 'rm', '--force', ...volumes);
    },
  };
}
