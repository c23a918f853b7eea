/** The on-premise build has no plans: the document has no section of them, and an account no member that names one. */
export const planSection = {};
export const accountPlan = {};
export const KEPT_NULLS: readonly string[] = [];
export const planActs = null;
export const readPlans = async (): Promise<readonly never[]> => [];
