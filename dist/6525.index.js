export const id=6525;export const ids=[6525];export const modules={36525:(e,t,a)=>{a.d(t,{createGitHubCommands:()=>createGitHubCommands});var n=a(73024),r=a(81242);function createGitHubCommands({environment:e,random:t,write:a}){let p=new Set,annotate=(e,t,n)=>{let r=void 0===n?"":` title=${escapeProperty(n)}`;a(`::${e}${r}::${escapeData(t)}
`)},append=(t,a)=>{let l=e[t];if(!(void 0===l||""===l||p.has(t)))try{(0,n.appendFileSync)(l,a)}catch(a){p.add(t);let e=(0,r.u)(a);annotate("warning",`${t} cannot be written (${e}): later steps will miss it.`)}};return{addMask:e=>a(`::add-mask::${escapeData(e)}
`),annotate,setOutput(e,a){let n=`end_${t.id()}`;append("GITHUB_OUTPUT",`${e}<<${n}
${a}
${n}
`)},appendSummary:e=>append("GITHUB_STEP_SUMMARY",e)}}function escapeData(e){return e.replaceAll("%","%25").replaceAll("\r","%0D").replaceAll("\n","%0A")}function escapeProperty(e){return escapeData(e).replaceAll(":","%3A").replaceAll(",","%2C")}}};
