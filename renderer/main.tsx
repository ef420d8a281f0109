import '@fontsource-variable/inter/opsz.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import './styles/tokens.css';
import './styles/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { bridge } from './data/bridge.ts';
import { App } from './views/shell/app.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('the page has no #root');
const info = await bridge.appInfo();
createRoot(root).render(
  <StrictMode>
    <App info={info} />
  </StrictMode>,
);
