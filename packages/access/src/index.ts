export { CAPABILITIES, type Capability, type LicenseClaims } from './license/claims.ts';
export { licenseRefusal } from './license/coverage.ts';
export { issueLicense } from './license/issue.ts';
export { expiryOf, graceEndOf, type LicenseTerm, licenseWarning, termOf, WARNING_DAYS } from './license/term.ts';
export { TRUSTS_DEVELOPMENT_LICENSES, VENDOR_PUBLIC_KEY } from './license/vendor-key.ts';
export { type License, type LicenseFault, type LicenseVerdict, verifyLicense } from './license/verify.ts';
