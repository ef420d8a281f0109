import { defineConfig } from 'vite';
import { nodeBundle } from './node-bundle.ts';

export default defineConfig(nodeBundle('main', 'electron/main/main.ts'));
