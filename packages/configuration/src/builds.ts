import type { Variable } from './variable.ts';

/** The variables that each build of a service reads. */
export interface Builds {
  readonly serverless: readonly Variable[];
  readonly 'on-premise': readonly Variable[];
}

/** Each variable of a service once, with the builds that read it: which they are follows from what they list. */
export function acrossBuilds({
  serverless,
  'on-premise': onPremise,
}: Builds): { readonly variable: Variable; readonly readers: keyof Builds | 'both' }[] {
  const hosted = new Map(serverless.map((variable) => [variable.name, variable]));
  const restricted = new Map(onPremise.map((variable) => [variable.name, variable]));
  return [...new Map([...hosted, ...restricted])].map(([name, variable]) => {
    if (hosted.has(name) && restricted.has(name)) return { variable, readers: 'both' };
    return { variable, readers: hosted.has(name) ? 'serverless' : 'on-premise' };
  });
}
