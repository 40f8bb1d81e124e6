export const id=8178;export const ids=[8178];export const modules={28178:(o,t,s)=>{o.exports=s(81534)}};
