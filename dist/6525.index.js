export const id=6525;export const ids=[6525];export const modules={6525:(e,a,t)=>{t.d(a,{createGitHubCommands:()=>createGitHubCommands});var p=t(3024);function createGitHubCommands({environment:e,random:a,write:t}){let append=(a,t)=>{let n=e[a];void 0!==n&&""!==n&&(0,p.appendFileSync)(n,t)};return{addMask:e=>t(`::add-mask::${escapeData(e)}
`),annotate(e,a,p){let n=void 0===p?"":` title=${escapeProperty(p)}`;t(`::${e}${n}::${escapeData(a)}
`)},setOutput(e,t){let p=`end_${a.id()}`;append("GITHUB_OUTPUT",`${e}<<${p}
${t}
${p}
`)},appendSummary:e=>append("GITHUB_STEP_SUMMARY",e)}}function escapeData(e){return e.replaceAll("%","%25").replaceAll("\r","%0D").replaceAll("\n","%0A")}function escapeProperty(e){return escapeData(e).replaceAll(":","%3A").replaceAll(",","%2C")}}};
