export { signingKey, startDirectory, type TestDirectory } from './directory.ts';
export { type TestProgram, testProgram } from './program.ts';
export { signedToken, WORKLOAD_CLAIMS, WORKLOAD_RULES } from './workloads.ts';
