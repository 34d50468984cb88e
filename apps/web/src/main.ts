import { mount } from 'svelte';

import './app.css';
import App from './App.svelte';
import { followLanguage, loadLanguage } from './lib/i18n/index.ts';

const target = document.getElementById('app');
if (target === null) throw new Error('index.html has no #app');

// The first words are in the right language.
await loadLanguage();
followLanguage();
mount(App, { target });
