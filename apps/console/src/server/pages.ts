import type { Permission } from '@gateway/contract';
import { type Route, route } from './route.ts';

function page(path: string, permission: Permission, summary: string): Route {
  return route({
    method: 'GET',
    path,
    right: { permission },
    summary,
    page: true,
    answers: '200 HTML page',
    handle: async ({ request, services }) => services.assets.page(request),
  });
}

/** The three surfaces. One page serves them all; what it shows follows from what its caller may ask for. */
export const pageRoutes: readonly Route[] = [
  page('/', 'console:administrer-l-instance', "Opens the instance's surface."),
  page('/audit', 'console:auditer', "Opens the auditors' surface."),
  page('/project', 'console:administrer-un-projet', "Opens the project administrators' surface."),
];
