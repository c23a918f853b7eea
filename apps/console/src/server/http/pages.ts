import { type Permission, type Role, roleOf } from '@gateway/contract';
import type { Links } from './notice.ts';
import { type Right, type Route, route } from './route.ts';

function page(path: string, right: Right, summary: string): Route {
  return route({
    method: 'GET',
    path,
    right,
    summary,
    page: true,
    answers: '200 HTML page',
    handle: async ({ request, services }) => services.assets.page(request),
  });
}

/** The three surfaces by address, with the link text for each. */
const SURFACES: readonly { path: string; permission: Permission; name: string; summary: string }[] = [
  {
    path: '/',
    permission: 'console:administrer-l-instance',
    name: 'Administration',
    summary: 'Opens the instance pages.',
  },
  { path: '/audit', permission: 'console:auditer', name: 'Audit', summary: 'Opens the audit pages.' },
  {
    path: '/project',
    permission: 'console:administrer-un-projet',
    name: 'Project',
    summary: 'Opens the project pages.',
  },
];

/** The page of the signed-in person, who may have no role. */
export const OWN_SURFACE = '/me';

export const isSurface = (path: string): boolean =>
  path === OWN_SURFACE || SURFACES.some((surface) => surface.path === path);

/** The pages' script, and its parts that are loaded where a page needs them. */
const script = route({
  method: 'GET',
  path: '/scripts/:file',
  right: 'signed-in',
  summary: "Serves a part of the pages' script that few pages need.",
  answers: '200 script',
  handle: async ({ request, parameters, services }) => services.assets.script(request, parameters.file),
});

/** One page serves all surfaces; its content depends on the caller's rights. */
export const pageRoutes: readonly Route[] = [
  script,
  ...SURFACES.map(({ path, permission, summary }) => page(path, { permission }, summary)),
  page(OWN_SURFACE, 'signed-in', 'Opens the page of the signed-in person.'),
];

/** Links to the surfaces that the caller's roles open; all of them where roles do not count. */
export function surfacesOf(roles: readonly { readonly role: Role }[] | null): Links {
  const open = SURFACES.filter(
    ({ permission }) => roles === null || roles.some(({ role }) => role === roleOf(permission)),
  );
  const own = roles === null ? [] : [['My page', OWN_SURFACE]];
  return Object.fromEntries([...open.map(({ name, path }) => [name, path]), ...own]);
}
