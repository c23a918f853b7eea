import { endpointRoutes } from '../server/catalog/endpoints.ts';
import { modelRoutes } from '../server/catalog/models.ts';
import { providerRoutes } from '../server/catalog/providers.ts';
import { pageRoutes } from '../server/pages.ts';
import type { Route } from '../server/route.ts';

/** The rows of the route table that both builds mount. */
export const commonRoutes: readonly Route[] = [...providerRoutes, ...modelRoutes, ...endpointRoutes, ...pageRoutes];
