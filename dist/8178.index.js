export const id=8178;export const ids=[8178];export const modules={8178:(o,t,s)=>{o.exports=s(1534)}};
