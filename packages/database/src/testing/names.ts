export const TEMPLATE = 'template_gateway';

/** Of both service roles, on the test server alone. */
export const SERVICE_PASSWORD = 'service-password-of-the-tests';

export function withDatabase(url: string, database: string): string {
  return Object.assign(new URL(url), { pathname: `/${database}` }).href;
}

export function withRole(url: string, role: string): string {
  return Object.assign(new URL(url), { username: role, password: SERVICE_PASSWORD }).href;
}
