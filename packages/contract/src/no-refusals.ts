/** Stands in an artifact for the refusals of the other profile (roles-24). */
export const SENTENCES = {};
export const CAUSES = {};
export const REASONS = {};
