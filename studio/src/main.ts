import './shell/fonts.css';
import './shell/tokens.css';
import './shell/page.css';
import { mount } from 'svelte';
import App from './App.svelte';

const place = document.getElementById('studio');
if (place) mount(App, { target: place });
