import { EndpointsPage } from '../pages/endpoints/endpoints-page.tsx';
import type { Tab } from './tab.ts';

/** The on-premise console's tabs, in the specification's order. The others do not exist in this artifact. */
export const TABS: readonly Tab[] = [{ identifier: 'endpoints', label: 'Endpoints', page: EndpointsPage }];
