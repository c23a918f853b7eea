import { matchesText } from './rule.ts';

/** Whether a host (`example.org`, `127.0.0.1:8080`) is meant by a pattern; `*.example.org` means every host below. */
export function hostMatches(pattern: string, host: string): boolean {
  const wanted = pattern.toLowerCase();
  const [name, port] = split(host.toLowerCase());
  return matchesText(wanted, name) || (port !== undefined && matchesText(wanted, `${name}:${port}`));
}

function split(host: string): [string, string?] {
  const [, name = host, port] = /^(.*?|\[.*\])(?::(\d+))?$/.exec(host) ?? [];
  return port === undefined ? [name] : [name, port];
}
