/** Stands in an artifact for the refusals of the other profile (decisions §2: its code is absent). */
export const SENTENCES = {};
export const CAUSES = {};
