export { signingKey, startIdentityProvider, type TestIdentityProvider } from './identity-provider.ts';
export { type TestProgram, testProgram } from './program.ts';
export { signedToken, WORKLOAD_CLAIMS, WORKLOAD_RULES } from './workloads.ts';
