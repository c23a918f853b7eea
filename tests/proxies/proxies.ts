import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PAGE = fileURLToPath(new URL('../../site/pages/deployment/proxies.md', import.meta.url));

/** Where everything is that a proxy of the tests needs. */
export interface ProxyAddress {
  readonly folder: string;
  /** Its own port, for both names. */
  readonly port: number;
  readonly gateway: number;
  readonly console: number;
  readonly certificate: string;
  readonly key: string;
  /** Certificate and key in one file. */
  readonly both: string;
}

/** A proxy that the manual configures. */
export interface Proxy {
  readonly name: string;
  /** The program, and the words that start it in the foreground. */
  start(place: ProxyAddress): readonly [program: string, ...words: string[]];
}

/** The first configuration of a section of the page, with the ports and files of the test. */
function shown(section: string, place: ProxyAddress): string {
  const page = readFileSync(PAGE, 'utf8');
  const fence = new RegExp(`^## ${section}$[\\s\\S]*?^\`\`\`\\w+\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(page);
  if (fence?.[1] === undefined) throw new Error(`${PAGE} shows no configuration of ${section}`);
  return fence[1]
    .replaceAll('127.0.0.1:6001', `127.0.0.1:${place.gateway}`)
    .replaceAll('127.0.0.1:6002', `127.0.0.1:${place.console}`)
    .replaceAll('/etc/ssl/gateway-and-key.pem', place.both)
    .replaceAll('/etc/ssl/gateway.pem', place.certificate)
    .replaceAll('/etc/ssl/gateway.key', place.key)
    .replaceAll(/\b443\b/g, String(place.port));
}

function written(place: ProxyAddress, name: string, text: string): string {
  const file = join(place.folder, name);
  writeFileSync(file, text);
  return file;
}

/** Debian's own nginx.conf around the page's file, with paths that a test may write to. */
const aroundNginx = (place: ProxyAddress, inside: string): string => `
daemon off;
worker_processes 1;
pid ${place.folder}/nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${place.folder}/${name};`).join('\n  ')}
  ${inside}
}
`;

export const PROXIES: readonly Proxy[] = [
  {
    name: 'nginx',
    start: (place) => {
      const file = written(place, 'nginx.conf', aroundNginx(place, shown('nginx', place)));
      return ['nginx', '-c', file, '-p', place.folder, '-e', 'stderr'];
    },
  },
  {
    name: 'haproxy',
    start: (place) => ['haproxy', '-db', '-f', written(place, 'haproxy.cfg', shown('HAProxy', place))],
  },
  {
    name: 'caddy',
    // The page lets Caddy get certificates from an authority on the internet: here they come from files.
    start: (place) => {
      const names = shown('Caddy', place).replaceAll(
        /^(\S+\.example) \{$/gm,
        `https://$1:${place.port} {\n  tls ${place.certificate} ${place.key}`,
      );
      const file = written(place, 'Caddyfile', `{\n  admin off\n  auto_https disable_redirects\n}\n${names}`);
      return ['caddy', 'run', '--config', file, '--adapter', 'caddyfile'];
    },
  },
];
