/** Stands in the on-premise artifact for the billing of the hosted profile, whose code is absent there (roles-24). */
export const BILLING = () => ({ plan: 'null', capReached: 'null', probe: 'null' });
