import type { Gatewayctl } from './gatewayctl.ts';

/** Makes the organization that the gateway is to serve, where it is absent: a gateway refuses to serve an unknown one. */
export async function ensureOrganization(run: Gatewayctl, slug: string): Promise<void> {
  const known = JSON.parse(await run('organization', 'list', '--json')) as readonly { readonly slug: string }[];
  if (!known.some((one) => one.slug === slug)) await run('organization', 'create', slug, slug);
}
