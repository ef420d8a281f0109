import { defineConfig } from 'vite';
import { nodeBundle } from './node-bundle.ts';

export default defineConfig(nodeBundle('cli', 'electron/cli/cli.ts'));
