export { declaredResources } from './declared-resources.ts';
export { liveAdmission } from './live-admission.ts';
