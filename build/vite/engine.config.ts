import { defineConfig } from 'vite';
import { nodeBundle } from './node-bundle.ts';

export default defineConfig(nodeBundle('engine', 'electron/engine/engine-process.ts'));
