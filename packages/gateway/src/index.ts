export { toolKinds } from './tool-kinds.ts';
