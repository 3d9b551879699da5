import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import './design/page.css';
import { mirrorAddress } from './store/address.ts';
import { startMirror } from './store/mirror.ts';

const place = document.getElementById('root');
if (place === null) throw new Error('index.html has no #root');
startMirror();
mirrorAddress();
createRoot(place).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
